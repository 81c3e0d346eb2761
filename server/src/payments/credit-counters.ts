import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { numbers, texts } from '../db/arrays.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { type Merchant, readMerchant } from '../identity/index.ts';
import { lockBalances, movements, post } from '../ledger/index.ts';
import type { BankReceivedPix } from '../psp/index.ts';
import { Refusal } from '../refusal.ts';
import { findDueReserves, insertReserves, markReservesReleased } from '../reserves/index.ts';
import { noOptions } from './charge-options.ts';
import { type Charge, merchantOfStaticTxid, newTxid, settlementOf } from './payment.ts';
import { publishChargeEvents } from './publish-charge-events.ts';
import { COUNTER_CODE, insertCharge, markChargesPaid } from './store.ts';

/** The charge to be created for a Pix paid by a counter code. Stored once the Pix is known to be new. */
export type CounterCharge = {
  readonly charge: Charge;
  readonly merchant: Merchant;
  readonly counterId: string;
};

/**
 * Returns, by endToEndId, a charge for each Pix paid by one of our counter codes, under the merchant's current terms.
 * Any amount is credited, even if the code is switched off: the money is the merchant's. Skips the query if no txid
 * has that form.
 */
export async function chargesByCounters(
  tx: Tx,
  facts: readonly BankReceivedPix[],
): Promise<ReadonlyMap<string, CounterCharge>> {
  const named = facts.flatMap((pix) => {
    const merchantId = pix.txid === undefined ? undefined : merchantOfStaticTxid(pix.txid);
    return pix.txid === undefined || merchantId === undefined ? [] : [{ pix, txid: pix.txid, merchantId }];
  });
  if (named.length === 0) return new Map();
  const codes = await findCodes(tx, named);
  const ids = new Set(named.filter(({ txid }) => codes.has(txid)).map(({ merchantId }) => merchantId));
  const merchants = new Map(
    await Promise.all([...ids].map(async (id) => [id, await readMerchant(tx.db, id)] as const)),
  );
  const found = named.flatMap(({ pix, txid, merchantId }) => {
    const counterId = codes.get(txid);
    const merchant = merchants.get(merchantId);
    if (counterId === undefined || merchant === undefined) return [];
    const charge = chargeOf(merchant, pix.amountCents, tx.now);
    return [[pix.endToEndId, { charge, merchant, counterId }] as const];
  });
  return new Map(found);
}

/** The ids of counter codes by their txids. */
async function findCodes(
  tx: Tx,
  named: readonly { readonly merchantId: number; readonly txid: string }[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ txid: string; id: string }>`
    select txid, id from counter_codes
    join unnest(${numbers(named.map((one) => one.merchantId))}::bigint[],
                ${texts(named.map((one) => one.txid))}::text[]) named (merchant_id, txid) using (merchant_id, txid)
  `.execute(tx.db);
  return new Map(rows.map(({ txid, id }) => [txid, id]));
}

/** A charge for money that came without one; its code was never shown to anybody. */
export function chargeOf(merchant: Merchant, amountCents: number, now: Date): Charge {
  return {
    merchantId: merchant.id,
    id: randomUUID(),
    txid: newTxid(merchant.id),
    status: 'pending',
    amountCents,
    ...settlementOf(amountCents, merchant),
    reserveDays: merchant.reserveDays,
    expiresAt: now,
    callbackUrl: null,
    brCode: '',
    endToEndId: null,
    paidAt: null,
    refundedCents: 0,
    externalId: null,
    metadata: null,
    cancelledAt: null,
    createdAt: now,
  };
}

/**
 * Stores these charges, to be marked as paid with the others in the transaction: the merchants' counters are then
 * locked together, in one order.
 */
export async function insertCounterCharges(
  tx: Tx,
  made: readonly CounterCharge[],
  merchantsPaid: readonly number[],
): Promise<void> {
  if (made.length === 0) return;
  await sql`select lock_merchant_counters(${numbers(merchantsPaid)}::bigint[])`.execute(tx.db);
  await Promise.all(
    made.map(({ charge, merchant, counterId }) =>
      insertCharge(
        { db: tx.db, now: tx.now },
        charge,
        merchant,
        tx.now,
        { requestId: null, with: COUNTER_CODE },
        { ...noOptions, counterId },
      ),
    ),
  );
}

const dayMs = 86_400_000;

/**
 * Credits a Pix from suspense to a merchant, as a payment under its current terms: creates a paid charge, so that the
 * payment is in the feed, keeps its reserve and can be refunded. Returns the charge's id. Refused with
 * AMOUNT_BELOW_FEE if the fee would consume all of it. The caller locks the Pix, and must post nothing else in this
 * transaction.
 */
export async function creditAssigned(
  tx: Tx,
  merchant: Merchant,
  pix: Pick<BankReceivedPix, 'endToEndId' | 'amountCents' | 'paidAt'>,
): Promise<string> {
  const charge = chargeOf(merchant, pix.amountCents, tx.now);
  const { merchantId, id, amountCents, feeCents, reserveCents, reserveDays } = charge;
  if (feeCents >= amountCents) throw new Refusal('AMOUNT_BELOW_FEE');
  await publishChargeEvents(tx, 'paid', [{ charge, paidAt: pix.paidAt }]);
  await post(
    tx,
    movements.unmatchedAssigned({
      merchantId,
      reference: pix.endToEndId,
      amountCents,
      feeCents,
      reserveCents,
    }),
  );
  await insertCharge({ db: tx.db, now: tx.now }, charge, merchant, tx.now);
  await markChargesPaid(tx, [{ charge, endToEndId: pix.endToEndId, paidAt: pix.paidAt }]);
  const dueAt = new Date(tx.now.getTime() + reserveDays * dayMs);
  if (reserveCents > 0)
    await insertReserves(tx, [{ merchantId, chargeId: id, amountCents: reserveCents, dueAt }]);
  return id;
}

const batchSize = 500;

/** Releases due reserves, less what disputes took from them. Returns how many were found. */
export async function releaseReserves(deps: Deps): Promise<number> {
  return inTransaction(deps, async (tx) => {
    const due = await findDueReserves(tx, batchSize);
    if (due.length === 0) return 0;
    // Disputes take from reserves under the same lock, so none is released and taken from at once.
    await lockBalances(tx, [...new Set(due.map(({ merchantId }) => merchantId))]);
    const released = await markReservesReleased(tx, due);
    await post(
      tx,
      released.flatMap(({ merchantId, chargeId, amountCents }) =>
        movements.reserveReleased({ merchantId, reference: chargeId, amountCents }),
      ),
    );
    return due.length;
  });
}
