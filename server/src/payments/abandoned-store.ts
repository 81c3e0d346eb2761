import { sql } from 'kysely';
import { numberArray, textArray } from '../db/arrays.ts';
import type { Tx } from '../db/transaction.ts';
import type { ChargeKeyOfTxid } from './bank-ids.ts';
import type { Charge } from './payment.ts';

/** What a bank that did not answer may have made of a charge, which then went to another account. */
export type AbandonedCharge = {
  readonly merchantId: number;
  readonly chargeId: string;
  /** The account and the txid that the charge had. */
  readonly connectionId: number;
  readonly txid: string;
  readonly expiresAt: Date;
};

type AbandonedRow = {
  merchant_id: number;
  charge_id: string;
  connection_id: number;
  txid: string;
  expires_at: Date;
};

function abandonedFrom(row: AbandonedRow): AbandonedCharge {
  return {
    merchantId: row.merchant_id,
    chargeId: row.charge_id,
    connectionId: row.connection_id,
    txid: row.txid,
    expiresAt: row.expires_at,
  };
}

/**
 * Gives a pending charge without a code the account and the txid of `to`, and stores those that it had. Returns false,
 * and changes nothing, if the charge has got its code, has ended, or has been given another txid. `nextCheckAt`: when
 * each of the two is looked up at its bank.
 */
export async function storeMove(tx: Tx, from: Charge, to: Charge, nextCheckAt: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('charges')
    .set({ connection_id: to.connectionId, txid: to.txid, next_check_at: nextCheckAt, updated_at: tx.now })
    .where('merchant_id', '=', from.merchantId)
    .where('id', '=', from.id)
    .where('txid', '=', from.txid)
    .where('status', '=', 'pending')
    .where('br_code', '=', '')
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return false;
  await tx.db
    .insertInto('abandoned_charges')
    .values({
      merchant_id: from.merchantId,
      charge_id: from.id,
      connection_id: from.connectionId,
      txid: from.txid,
      abandoned_at: tx.now,
      expires_at: from.expiresAt,
      next_check_at: nextCheckAt,
    })
    .execute();
  return true;
}

/** Finds the abandoned charges that have these txids at these accounts. */
export async function findAbandoned(
  tx: Tx,
  keys: readonly (ChargeKeyOfTxid & { readonly connectionId: number })[],
): Promise<AbandonedCharge[]> {
  if (keys.length === 0) return [];
  const { rows } = await sql<AbandonedRow>`
    select merchant_id, charge_id, connection_id, txid, expires_at from abandoned_charges
    join unnest(${numberArray(keys.map(({ merchantId }) => merchantId))}::bigint[],
                ${textArray(keys.map(({ id }) => id))}::uuid[], ${textArray(keys.map(({ txid }) => txid))}::text[],
                ${numberArray(keys.map(({ connectionId }) => connectionId))}::int[])
      keys (merchant_id, charge_id, txid, connection_id) using (merchant_id, charge_id, txid, connection_id)
  `.execute(tx.db);
  return rows.map(abandonedFrom);
}

/**
 * Leases abandoned charges that are due until `until`, earliest first: no other process takes them before then. Passes
 * over those at the banks of these connections.
 */
export async function leaseDueAbandoned(
  tx: Tx,
  until: Date,
  limit: number,
  passedOver: readonly number[],
): Promise<AbandonedCharge[]> {
  const { rows } = await sql<AbandonedRow>`
    update abandoned_charges set next_check_at = ${until}
    from (
      select merchant_id, charge_id, txid from abandoned_charges
      where next_check_at <= ${tx.now} and connection_id <> all(${passedOver}::integer[])
      order by next_check_at limit ${limit}
      for update skip locked
    ) due
    where abandoned_charges.merchant_id = due.merchant_id and abandoned_charges.charge_id = due.charge_id
      and abandoned_charges.txid = due.txid
    returning abandoned_charges.merchant_id, abandoned_charges.charge_id, abandoned_charges.connection_id,
              abandoned_charges.txid, abandoned_charges.expires_at
  `.execute(tx.db);
  return rows.map(abandonedFrom);
}

/** The bank is not asked about it any more. A Pix that still arrives is booked all the same. */
export async function finishAbandoned(
  tx: Tx,
  { merchantId, chargeId, txid }: AbandonedCharge,
): Promise<void> {
  await tx.db
    .updateTable('abandoned_charges')
    .set({ next_check_at: null })
    .where('merchant_id', '=', merchantId)
    .where('charge_id', '=', chargeId)
    .where('txid', '=', txid)
    .execute();
}
