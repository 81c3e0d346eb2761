import {
  brlFromCents,
  type HeldPix,
  type HeldPixState,
  type listHeldPix as listEndpoint,
  type QueryOf,
  type ResponseOf,
} from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { decodeCursor, encodeCursor } from '../list-cursor.ts';
import { findCharge, findRefundableCharge, type HeldPixRecord, listHeldPix } from '../payments/index.ts';
import { HOUSE_CONNECTION } from '../psp/index.ts';

/** Lists what waits for a merchant's decision, and what was decided, newest first. */
export async function listHeldPixOf(
  deps: Pick<Deps, 'db'>,
  merchantId: number,
  { state, limit, before }: QueryOf<typeof listEndpoint>,
): Promise<ResponseOf<typeof listEndpoint>> {
  const records = await listHeldPix(deps.db, merchantId, {
    isOpen: state === 'open',
    before: before === undefined ? undefined : decodeCursor(before).id,
    limit: limit + 1,
  });
  const page = records.slice(0, limit);
  const last = page.at(-1);
  return {
    data: await Promise.all(page.map((record) => toHeldPixResponse(deps, record))),
    next:
      last === undefined || records.length <= limit
        ? null
        : encodeCursor({ createdAt: last.heldAt, id: last.id }),
  };
}

/** A held Pix as the API shows it. */
export async function toHeldPixResponse({ db }: Pick<Deps, 'db'>, record: HeldPixRecord): Promise<HeldPix> {
  const named = await findCharge(db, record.merchantId, record.chargeId);
  const hasPayer = record.payerName !== null || record.payerDocument !== null;
  return {
    id: record.id,
    end_to_end_id: record.endToEndId,
    amount: brlFromCents(record.amountCents),
    paid_at: record.paidAt.toISOString(),
    held_at: record.heldAt.toISOString(),
    why: record.why,
    state: await stateOf({ db }, record),
    payment_id: record.chargeId,
    external_id: named?.externalId ?? null,
    credited_payment_id: record.paidChargeId,
    connection_id: record.connectionId === HOUSE_CONNECTION ? null : String(record.connectionId),
    payer: hasPayer ? { name: record.payerName, document: record.payerDocument } : null,
    decided_at: record.decidedAt?.toISOString() ?? null,
  };
}

async function stateOf({ db }: Pick<Deps, 'db'>, record: HeldPixRecord): Promise<HeldPixState> {
  const { outcome, giveBackAt, decision, merchantId, paidChargeId } = record;
  if (outcome === 'suspense' || outcome === 'held') return giveBackAt === null ? 'held' : 'returning';
  if (outcome === 'returning' || outcome === 'returned') return outcome;
  if (decision !== 'given-back' || paidChargeId === null) return 'accepted';
  const charge = await findRefundableCharge(db, merchantId, paidChargeId);
  if (charge?.status === 'refunded') return 'returned';
  return charge !== undefined && charge.refundingCents > 0 ? 'returning' : 'accepted';
}
