import { sql } from 'kysely';
import { numberArray } from '../db/arrays.ts';
import type { Tx } from '../db/transaction.ts';
import { ANNOUNCEMENTS_CHANNEL } from './announcement.ts';

// The key of the advisory lock that every process takes to announce; the number is arbitrary.
const announcerLock = 6_402_118_375;

/**
 * Waits until no other process announces, and keeps others waiting until the commit. A process that hangs with the lock
 * loses it after 5 s. The planner settings make PostgreSQL read the outbox by its index in this transaction: as the
 * table has few live rows, it would otherwise scan the whole table, including many rows that were just deleted.
 */
export async function lockAnnouncing(tx: Tx): Promise<void> {
  await sql`
    select set_config('idle_in_transaction_session_timeout', '5s', true),
           set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true),
           pg_advisory_xact_lock(${announcerLock})
  `.execute(tx.db);
}

/**
 * Sends the payloads of the oldest rows, in order, and deletes the rows. Returns the merchants that each row concerns.
 */
export async function announceAndDeleteRows(
  tx: Tx,
  limit: number,
): Promise<{ merchantIds: number[]; tooLong: boolean }[]> {
  const { rows } = await sql<{ merchant_ids: number[]; too_long: boolean }>`
    with taken as (
      delete from outbox
      where ctid = any(array(select ctid from outbox order by id limit ${limit}))
      returning id, payload, merchant_ids
    )
    select merchant_ids, payload is null as too_long, pg_notify(${ANNOUNCEMENTS_CHANNEL}, coalesce(payload, ''))
    from (select * from taken order by id) taken
  `.execute(tx.db);
  return rows.map((row) => ({ merchantIds: row.merchant_ids, tooLong: row.too_long }));
}

/**
 * The amount that each of these merchants may withdraw, in integer cents; null for those who have accounts of their own,
 * because their kind decides which balance they are shown.
 */
export async function readAvailableCents(
  tx: Tx,
  merchantIds: readonly number[],
): Promise<{ merchantId: number; cents: number | null }[]> {
  const { rows } = await sql<{ merchant_id: number; available_cents: number | null }>`
    select merchant_id, case when count(*) = 1 then max(available_cents) end as available_cents from ledger_balances
    where merchant_id = any(${numberArray(merchantIds)}::bigint[])
    group by merchant_id
  `.execute(tx.db);
  return rows.map((row) => ({ merchantId: row.merchant_id, cents: row.available_cents }));
}

export async function notifyScreens(tx: Tx, payloads: readonly string[]): Promise<void> {
  await sql`
    select pg_notify(${ANNOUNCEMENTS_CHANNEL}, payload) from unnest(${[...payloads]}::text[]) payload
  `.execute(tx.db);
}
