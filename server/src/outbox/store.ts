import { sql } from 'kysely';
import { z } from 'zod';
import type { Tx } from '../db/transaction.ts';
import { ANNOUNCEMENTS_CHANNEL, type Announced } from './announcement.ts';

// Arbitrary; taken by every process that announces.
const turnLock = 6_402_118_375;
const written = z.array(z.looseObject({ type: z.string() }));

/** Waits until no other process announces. One that stands still with the turn loses it after 5 s. */
export async function waitForTurn(tx: Tx): Promise<void> {
  await sql`
    select set_config('idle_in_transaction_session_timeout', '5s', true), pg_advisory_xact_lock(${turnLock})
  `.execute(tx.db);
}

/** Takes the oldest rows out: the messages of each, in the order in which they were written. */
export async function takeMessages(tx: Tx, limit: number): Promise<Announced[][]> {
  const { rows } = await sql<{ merchant_id: number; id: number; messages: unknown }>`
    delete from outbox
    where ctid = any(array(select ctid from outbox order by id limit ${limit}))
    returning merchant_id, id, messages
  `.execute(tx.db);
  return rows
    .toSorted((one, other) => one.id - other.id)
    .map((row) => written.parse(row.messages).map((message) => ({ merchantId: row.merchant_id, message })));
}

/** What each merchant may withdraw, in integer cents. */
export async function readAvailableCents(
  tx: Tx,
  merchantIds: readonly number[],
): Promise<{ merchantId: number; cents: number }[]> {
  const rows = await tx.db
    .selectFrom('ledger_balances')
    .select(['merchant_id', 'available_cents'])
    .where('merchant_id', '=', (eb) => eb.fn.any(eb.val([...merchantIds])))
    .execute();
  return rows.map((row) => ({ merchantId: row.merchant_id, cents: row.available_cents }));
}

export async function notifyScreens(tx: Tx, payloads: readonly string[]): Promise<void> {
  await sql`
    select pg_notify(${ANNOUNCEMENTS_CHANNEL}, payload) from unnest(${[...payloads]}::text[]) payload
  `.execute(tx.db);
}
