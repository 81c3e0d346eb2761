import { sql } from 'kysely';
import { numberArray, textArray } from '../db/arrays.ts';
import type { Db } from '../db/pool.ts';
import { lockPixOnCoordinator, ofMerchants } from '../db/sharding.ts';
import type { Tx } from '../db/transaction.ts';
import { invariant } from '../invariant.ts';
import { lockRefundableCharge } from '../payments/index.ts';

/** A Pix as the bank of an account names it when it tells of a dispute. */
export type ContestedPix = { readonly connectionId: number; readonly endToEndId: string };

/** The disputed Pix as our books record it. */
export type DisputedPix = {
  readonly merchantId: number;
  readonly chargeId: string | null;
  readonly amountCents: number;
  readonly paidAt: Date;
};

/**
 * Finds disputed Pix in our books, by endToEndId. A Pix that paid a charge of another account is left out, because only
 * the charge's own bank can take money for it.
 */
export async function findDisputedPixOf(
  db: Db | Tx['db'],
  connectionId: number,
  endToEndIds: readonly string[],
): Promise<Map<string, DisputedPix>> {
  if (endToEndIds.length === 0) return new Map();
  const { rows } = await sql<DisputedPix & { endToEndId: string }>`
    select end_to_end_id as "endToEndId", merchant_id as "merchantId", charge_id as "chargeId",
           amount_cents as "amountCents", paid_at as "paidAt"
    from received_pix where end_to_end_id = any(${textArray(endToEndIds)}::text[])
  `.execute(db);
  const ownCharges = await findChargesOfAccount(db, connectionId, rows);
  const found = rows.filter(({ chargeId }) => chargeId === null || ownCharges.has(chargeId));
  return new Map(found.map(({ endToEndId, ...pix }) => [endToEndId, pix]));
}

/** Returns the ids of those charges that were made at this account. */
async function findChargesOfAccount(
  db: Db | Tx['db'],
  connectionId: number,
  pix: readonly DisputedPix[],
): Promise<Set<string>> {
  const keys = pix.flatMap(({ merchantId, chargeId }) =>
    chargeId === null ? [] : [{ merchantId, chargeId }],
  );
  if (keys.length === 0) return new Set();
  const merchantIds = keys.map(({ merchantId }) => merchantId);
  const { rows } = await sql<{ id: string }>`
    select id from charges
    join unnest(${numberArray(merchantIds)}::bigint[], ${textArray(keys.map(({ chargeId }) => chargeId))}::uuid[])
      keys (merchant_id, id) using (merchant_id, id)
    where charges.connection_id = ${connectionId} ${ofMerchants('charges.merchant_id', merchantIds)}
  `.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Finds one disputed Pix by the rules of `findDisputedPixOf`; undefined if it is not booked. */
export async function findDisputedPix(
  db: Db | Tx['db'],
  { connectionId, endToEndId }: ContestedPix,
): Promise<DisputedPix | undefined> {
  return (await findDisputedPixOf(db, connectionId, [endToEndId])).get(endToEndId);
}

/**
 * Locks a Pix against refunds and other disputes, by locking its charge, or the Pix itself if it has no charge. Returns
 * the state under the lock, with the part of the Pix that is neither refunded nor being refunded.
 */
export async function lockDisputedPix(
  tx: Tx,
  contested: ContestedPix,
): Promise<(DisputedPix & { readonly leftCents: number }) | undefined> {
  const { endToEndId } = contested;
  const pix = await findDisputedPix(tx.db, contested);
  if (pix === undefined) return undefined;
  if (pix.chargeId !== null) {
    const charge = await lockRefundableCharge(tx, pix.merchantId, pix.chargeId);
    invariant(charge !== undefined, 'a booked Pix has its charge');
    return { ...pix, leftCents: charge.amountCents - charge.refundedCents - charge.refundingCents };
  }
  await lockPixOnCoordinator(tx.db, endToEndId);
  await tx.db
    .selectFrom('received_pix')
    .select('end_to_end_id')
    .where('end_to_end_id', '=', endToEndId)
    .forNoKeyUpdate()
    .execute();
  const lockedPix = await findDisputedPix(tx.db, contested);
  // The Pix may have been assigned to a merchant before the lock was granted; then its charge must be locked instead.
  if (lockedPix === undefined || lockedPix.chargeId !== null) return lockDisputedPix(tx, contested);
  return { ...lockedPix, leftCents: 0 };
}
