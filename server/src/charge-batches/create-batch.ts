import type { NewBatchLine, NewChargeBatch } from '@jangada/contract';
import { formatDay } from '../calendar-day.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { IdempotencyHandle } from '../http/route.ts';
import { readMerchant } from '../identity/index.ts';
import { invariant } from '../invariant.ts';
import { lockMerchant } from '../lock-merchant.ts';
import { Refusal } from '../refusal.ts';
import { newTimeId } from '../time-id.ts';
import {
  countOpenBatches,
  findBatch,
  findChargedBefore,
  insertBatch,
  type NewBatch,
  type StoredBatch,
} from './store.ts';

/** Who asks for a batch: the request, its credential and, if they are no owner, the member. */
export type BatchMaker = Pick<NewBatch, 'merchantId' | 'requestId' | 'madeWith' | 'createdBy'>;

/** So that no account fills the database with lines faster than they are worked off. */
export const MAX_OPEN_BATCHES = 20;

/**
 * Stores a batch, whose charges are created afterwards. A retry under the same idempotency key gets the same batch.
 * @throws {Refusal} ACCOUNT_FROZEN, ACCOUNT_NOT_APPROVED, API_KEY_INACTIVE, ALREADY_CHARGED, RATE_LIMITED
 */
export async function createBatch(
  deps: Deps,
  maker: BatchMaker,
  { reference, items, refuse_repeated: refusesRepeated }: NewChargeBatch,
  idempotency: IdempotencyHandle | undefined,
): Promise<StoredBatch> {
  const { merchantId } = maker;
  const merchant = await readMerchant(deps.db, merchantId);
  invariant(merchant !== undefined, 'a caller without an account');
  if (merchant.frozen) throw new Refusal('ACCOUNT_FROZEN');
  if (!merchant.approved) throw new Refusal('ACCOUNT_NOT_APPROVED');
  if (!merchant.apiActive) throw new Refusal('API_KEY_INACTIVE');
  if (
    idempotency?.resumedId === undefined &&
    (await countOpenBatches(deps.db, merchantId)) >= MAX_OPEN_BATCHES
  )
    throw new Refusal('RATE_LIMITED', {
      message: `Uma conta tem até ${MAX_OPEN_BATCHES} lotes em andamento. Espere que um termine.`,
      retryAfterSeconds: 60,
    });
  const id = idempotency?.resumedId ?? newTimeId(deps.clock.now());
  if (idempotency?.resumedId === undefined) await idempotency?.remember(id);
  await inTransaction(deps, async (tx) => {
    // Batches that look for repeated charges wait for each other, so that none misses another's.
    if (refusesRepeated) await lockMerchant(tx, merchantId);
    const isNew = await insertBatch(tx, { ...maker, id, reference: reference ?? null, lines: items });
    if (isNew && refusesRepeated) await refuseRepeated(tx, { merchantId, id }, items);
  });
  const batch = await findBatch(deps.db, merchantId, id);
  invariant(batch !== undefined, 'the batch was just stored');
  return batch;
}

/** Refuses a batch whose lines were charged before, and names them, so that they can be left out. */
async function refuseRepeated(
  tx: Tx,
  batch: Pick<StoredBatch, 'merchantId' | 'id'>,
  lines: readonly NewBatchLine[],
): Promise<void> {
  const fields = (await findChargedBefore(tx, batch, lines)).map(({ line, chargedAt, isPaid }) => ({
    field: `items.${line - 1}.external_id`,
    message: `Já foi cobrada em ${formatDay(chargedAt)}${isPaid ? ', e paga' : ''}.`,
  }));
  if (fields.length > 0) throw new Refusal('ALREADY_CHARGED', { details: { fields } });
}
