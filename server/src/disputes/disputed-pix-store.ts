import { sql } from 'kysely';
import { textArray } from '../db/arrays.ts';
import type { Db } from '../db/pool.ts';
import { lockPixOnCoordinator } from '../db/sharding.ts';
import type { Tx } from '../db/transaction.ts';
import { invariant } from '../invariant.ts';
import { lockRefundableCharge } from '../payments/index.ts';
import { HOUSE_CONNECTION } from '../psp/index.ts';

/** A Pix as the bank of an account names it when it tells of a dispute. */
export type ContestedPix = { readonly connectionId: number; readonly endToEndId: string };

/** The disputed Pix as our books record it. */
export type DisputedPix = {
  readonly merchantId: number;
  readonly chargeId: string | null;
  readonly amountCents: number;
  readonly paidAt: Date;
};

/** Finds disputed Pix that arrived at an account in our books, by endToEndId. */
export async function findDisputedPixOf(
  db: Db | Tx['db'],
  connectionId: number,
  endToEndIds: readonly string[],
): Promise<Map<string, DisputedPix>> {
  if (endToEndIds.length === 0) return new Map();
  const { rows } = await sql<DisputedPix & { endToEndId: string }>`
    -- What paid a merchant's fees is the operator's: a dispute of it is not the merchant's to answer.
    select end_to_end_id as "endToEndId", case outcome when 'fees' then 0 else merchant_id end as "merchantId",
           charge_id as "chargeId",
           amount_cents as "amountCents", paid_at as "paidAt"
    from received_pix
    where end_to_end_id = any(${textArray(endToEndIds)}::text[]) and connection_id = ${connectionId}
      -- What an account of a merchant's own holds paid no charge, and its dispute is the merchant's business.
      and (connection_id = ${HOUSE_CONNECTION} or charge_id is not null)
  `.execute(db);
  return new Map(rows.map(({ endToEndId, ...pix }) => [endToEndId, pix]));
}

/** Finds one disputed Pix; undefined if it is not booked. */
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
  const { connectionId, endToEndId } = contested;
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
    .where('connection_id', '=', connectionId)
    .forNoKeyUpdate()
    .execute();
  const lockedPix = await findDisputedPix(tx.db, contested);
  // The Pix may have been assigned to a merchant before the lock was granted; then its charge must be locked instead.
  if (lockedPix === undefined || lockedPix.chargeId !== null) return lockDisputedPix(tx, contested);
  return { ...lockedPix, leftCents: 0 };
}
