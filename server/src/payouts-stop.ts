// The switch that stops all money from leaving the bank accounts, that is, payouts and refunds; and the stop at one
// merchant's own account, until its bank has said what it sent. Only this file and the SQL function `detect_server_change`
// write them.
import { sql } from 'kysely';
import type pg from 'pg';
import { insertAuditEntry } from './audit/index.ts';
import type { Db } from './db/pool.ts';
import type { Tx, TxWithSecrets } from './db/transaction.ts';
import { PLATFORM } from './ledger/index.ts';
import { notifyAdministrators, payoutsStoppedNotification } from './notifications/index.ts';
import { HOUSE_CONNECTION } from './psp/index.ts';

/**
 * Why payouts are stopped, in SQL. They also count as stopped while the gateway's row names another server than the one
 * that responds: a connection to a standby survives its promotion, and `detect_server_change` may not have run since.
 */
const stopReason = sql<string | null>`coalesce(payouts_stopped_because,
  case when server is distinct from server_identity() then 'o banco de dados passou a outro servidor' end)`;

/** Returns why payouts are stopped; null while they are not. */
export async function readPayoutsStop(db: Db | Tx['db']): Promise<string | null> {
  const row = await db.selectFrom('gateway').select(stopReason.as('reason')).executeTakeFirstOrThrow();
  return row.reason;
}

/**
 * Returns why payouts from an account are stopped, be it all payouts or those of this account; null while they are not.
 * Locks as `lockPayoutsStop` does.
 */
export async function lockPayoutsStopAt(tx: Tx, connectionId: number): Promise<string | null> {
  return (await lockPayoutsStop(tx)) ?? (await readStopAt(tx, connectionId));
}

/**
 * Returns why payouts are stopped (null while they are not), and locks the gateway's row until the transaction ends.
 * Meanwhile no other transaction claims a withdrawal or changes the stop: gateway-wide caps stay accurate, and every
 * later claim sees a committed stop.
 */
export async function lockPayoutsStop(tx: Tx): Promise<string | null> {
  const row = await tx.db
    .selectFrom('gateway')
    .select(stopReason.as('reason'))
    .forUpdate()
    .executeTakeFirstOrThrow();
  return row.reason;
}

/**
 * Stops payouts for this reason until an operator resumes them, or resumes them if the reason is null. Either way,
 * cancels the automatic resumption after a failover.
 */
export async function writePayoutsStop(tx: Tx, reason: string | null): Promise<void> {
  await tx.db
    .updateTable('gateway')
    .set({ payouts_stopped_because: reason, compare_with_bank_at: null })
    .execute();
}

/**
 * Returns why payouts from an account are stopped, or undefined while they are not. Takes a shared lock until the
 * transaction ends: readers do not block each other, but a new stop waits for them, and every later reader sees the stop.
 */
export async function readPayoutsStopWithSharedLock(
  tx: Tx,
  connectionId: number,
): Promise<string | undefined> {
  const row = await tx.db.selectFrom('gateway').select(stopReason.as('reason')).forShare().executeTakeFirst();
  return row?.reason ?? (await readStopAt(tx, connectionId)) ?? undefined;
}

/**
 * Returns why payouts are stopped at one account. Asked in a statement of its own, after the gateway's row is locked: a
 * statement that waits for that lock would see this table as it was before.
 */
async function readStopAt(tx: Tx, connectionId: number): Promise<string | null> {
  if (connectionId === HOUSE_CONNECTION) return null;
  const row = await tx.db
    .selectFrom('stopped_connections')
    .select('stopped_because')
    .where('connection_id', '=', connectionId)
    .executeTakeFirst();
  return row?.stopped_because ?? null;
}

/**
 * Stops payouts at all merchants' own accounts in use, each until its own bank has said what it sent. The caller has
 * locked the gateway's row, so that no payout is claimed between this stop and the end of the stop of all.
 */
export async function stopOwnAccounts(tx: Tx, reason: string): Promise<void> {
  await sql`
    insert into stopped_connections (connection_id, stopped_because, compare_at)
    select id, ${reason}, clock_timestamp() from bank_connections where state not in ('draft', 'retired') order by id
    on conflict (connection_id) do update set compare_at = excluded.compare_at
  `.execute(tx.db);
}

/** Stops payouts at one merchant's own account, unless they are stopped there, and notifies the administrators. */
export async function stopPayoutsAt(tx: Tx, connectionId: number, reason: string): Promise<void> {
  const { rows } = await sql`
    insert into stopped_connections (connection_id, stopped_because, compare_at)
    values (${connectionId}, ${reason}, clock_timestamp() + interval '1 minute')
    on conflict do nothing returning connection_id
  `.execute(tx.db);
  if (rows.length > 0)
    await notifyAdministrators(tx, {
      type: 'operation.payouts-stopped',
      title: 'Os envios de uma conta bancária de lojista pararam',
      body: `Nada mais sai da conta ${connectionId}, que é de um lojista: ${reason}. Veja os itens em aberto.`,
    });
}

/** Ends the stop at one account. The caller has locked the gateway's row. Returns false if there was none. */
export async function endStopAt(tx: Tx, connectionId: number): Promise<boolean> {
  const result = await tx.db
    .deleteFrom('stopped_connections')
    .where('connection_id', '=', connectionId)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/**
 * Claims the comparisons that are due at stopped accounts, so that no other process makes them within the next minute.
 * Uses the database server's clock, as `claimDueComparison` does.
 */
export async function claimDueComparisonsAt(db: Db, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update stopped_connections set compare_at = clock_timestamp() + interval '1 minute'
    where connection_id in (
      select connection_id from stopped_connections
      where compare_at <= clock_timestamp()
        -- While all payouts are stopped, the comparison with the operator's own bank comes first.
        and (select payouts_stopped_because is null from gateway)
      order by compare_at limit ${limit}
      for update skip locked)
    returning connection_id as id
  `.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Stops payouts for a reason that the gateway itself found, unless they are stopped already, and notifies the
 * administrators. Returns whether this call stopped them.
 */
export async function stopPayoutsUnlessStopped(tx: TxWithSecrets, reason: string): Promise<boolean> {
  const result = await tx.db
    .updateTable('gateway')
    .set({ payouts_stopped_because: reason })
    .where('payouts_stopped_because', 'is', null)
    .executeTakeFirst();
  if (result.numUpdatedRows === 0n) return false;
  await reportAutomaticStop(tx, reason);
  return true;
}

/** Records in the audit log that the gateway stopped payouts by itself, and notifies the administrators. */
export async function reportAutomaticStop(tx: TxWithSecrets, reason: string): Promise<void> {
  await insertAuditEntry(tx, {
    actor_id: PLATFORM,
    action: 'payouts stopped',
    subject_id: PLATFORM,
    reason,
    before: { stopped_because: null },
    after: { stopped_because: reason },
  });
  await notifyAdministrators(tx, payoutsStoppedNotification(reason));
}

/**
 * Claims the comparison with the bank that is due after a failover, so that no other process makes it within the next
 * minute. Returns why payouts are stopped, or undefined if no comparison is due. Uses the database server's clock, by
 * which `detect_server_change` set the due time; the sandbox's clock may show another date.
 */
export async function claimDueComparison(db: Db): Promise<string | undefined> {
  const row = await db
    .updateTable('gateway')
    .set({ compare_with_bank_at: sql`clock_timestamp() + interval '1 minute'` })
    .where('compare_with_bank_at', '<=', sql<Date>`clock_timestamp()`)
    .returning('payouts_stopped_because')
    .executeTakeFirst();
  return row?.payouts_stopped_because ?? undefined;
}

/** Stops payouts in a database that is being restored, before the gateway works with it. */
export async function stopPayoutsInRestoredDatabase(client: pg.Client, reason: string): Promise<void> {
  await client.query('update gateway set payouts_stopped_because = $1', [reason]);
}
