import type { PixKeyTypeName, WithdrawalStatus } from '@jangada/contract';
import { type Insertable, type Selectable, sql } from 'kysely';
import type { ApprovalWait } from '../approvals/index.ts';
import { kindsThatStopPayouts } from '../bank-watch/index.ts';
import type { spanOfDays } from '../calendar-day.ts';
import { numberArray, textArray } from '../db/arrays.ts';
import type { Db } from '../db/pool.ts';
import type { DB } from '../db/schema.ts';
import { isSharded, lockSeveral } from '../db/sharding.ts';
import type { Tx } from '../db/transaction.ts';
import type { ListCursor } from '../list-cursor.ts';
import type { Withdrawal } from './withdrawal.ts';

type DbOrTx = Db | Tx['db'];
export type WithdrawalRow = Selectable<DB['withdrawals']>;
export type WithdrawalColumns = Partial<Insertable<DB['withdrawals']>>;
type Key = Pick<Withdrawal, 'merchantId' | 'id'>;

export function withdrawalFromRow(row: WithdrawalRow): Withdrawal {
  return {
    merchantId: row.merchant_id,
    id: row.id,
    connectionId: row.connection_id,
    idEnvio: row.id_envio,
    // The table's CHECKs admit only these words.
    status: row.status as WithdrawalStatus,
    origin: row.origin as Withdrawal['origin'],
    amountCents: row.amount_cents,
    feeCents: row.fee_cents,
    keyType: row.key_type as PixKeyTypeName,
    pixKey: row.pix_key,
    callbackUrl: row.callback_url,
    madeBy: row.requested_by,
    endToEndId: row.end_to_end_id,
    errorCode: row.error_code,
    error: row.error,
    operatorHoldReason: row.operator_hold_reason,
    returnedCents: row.returned_cents,
    sendCount: row.send_count,
    lookupCount: row.lookup_count,
    notFoundCount: row.not_found_count,
    lastSentAt: row.last_sent_at,
    unknownSince: row.unknown_since,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    completedAt: row.completed_at,
  };
}

/** The fields of a withdrawal before it is stored. */
export type NewWithdrawal = Pick<
  Withdrawal,
  | 'merchantId'
  | 'id'
  | 'connectionId'
  | 'idEnvio'
  | 'origin'
  | 'amountCents'
  | 'feeCents'
  | 'keyType'
  | 'pixKey'
  | 'callbackUrl'
> & {
  /** The person who asked for it in the panel; an API key has no limit of its own. */
  readonly requestedBy?: number | null | undefined;
};

/**
 * Stores a new withdrawal, due now unless it waits for approval, and wakes the sending loop after the commit. Must come
 * last in its transaction, because it locks the merchant's counters.
 */
export async function insertWithdrawal(
  tx: Tx,
  withdrawal: NewWithdrawal,
  wait?: ApprovalWait,
): Promise<Withdrawal> {
  if (wait === undefined) tx.wakeAfterCommit({ hasOrders: true });
  const row = await tx.db
    .insertInto('withdrawals')
    .values({
      merchant_id: withdrawal.merchantId,
      id: withdrawal.id,
      connection_id: withdrawal.connectionId,
      id_envio: withdrawal.idEnvio,
      status: 'pending',
      origin: withdrawal.origin,
      amount_cents: withdrawal.amountCents,
      fee_cents: withdrawal.feeCents,
      key_type: withdrawal.keyType,
      pix_key: withdrawal.pixKey,
      callback_url: withdrawal.callbackUrl,
      requested_by: withdrawal.requestedBy ?? null,
      ...(wait && { error_code: wait.code, error: wait.text }),
      due_at: wait === undefined ? tx.now : null,
      created_at: tx.now,
      updated_at: tx.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return withdrawalFromRow(row);
}

/** Sums the withdrawals that a member asked for since a moment, without those that failed. */
export async function sumRequestedBy(
  db: DbOrTx,
  { merchantId, requestedBy, from }: { merchantId: number; requestedBy: number; from: Date },
): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(amount_cents), 0)::bigint as cents from withdrawals
    where merchant_id = ${merchantId} and requested_by = ${requestedBy} and created_at >= ${from} and status <> 'failed'
  `.execute(db);
  return rows[0]?.cents ?? 0;
}

export async function findWithdrawal(
  db: DbOrTx,
  merchantId: number,
  id: string,
): Promise<Withdrawal | undefined> {
  const row = await db
    .selectFrom('withdrawals')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && withdrawalFromRow(row);
}

/** Reads a withdrawal and locks its row. */
export async function lockWithdrawal(tx: Tx, { merchantId, id }: Key): Promise<Withdrawal | undefined> {
  const row = await tx.db
    .selectFrom('withdrawals')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row && withdrawalFromRow(row);
}

/**
 * Updates a locked withdrawal. If the update ends the withdrawal, it must come last in its transaction, because a
 * trigger then locks the merchant's counters.
 */
export async function updateWithdrawal(
  tx: Tx,
  { merchantId, id }: Key,
  change: WithdrawalColumns,
): Promise<Withdrawal> {
  const row = await tx.db
    .updateTable('withdrawals')
    .set({ ...change, updated_at: tx.now })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return withdrawalFromRow(row);
}

/** Finds the merchant's pending or processing withdrawal, if any. The database allows only one at a time. */
export async function findOpenWithdrawal(db: DbOrTx, merchantId: number): Promise<Withdrawal | undefined> {
  const row = await db
    .selectFrom('withdrawals')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('status', 'in', literals(['pending', 'processing']))
    .executeTakeFirst();
  return row && withdrawalFromRow(row);
}

/** Lists a page of a merchant's withdrawals, newest first. */
export async function selectWithdrawals(
  db: Db,
  merchantId: number,
  page: { status: WithdrawalStatus | undefined; limit: number; offset: number },
): Promise<Withdrawal[]> {
  const { status, limit, offset } = page;
  const rows = await db
    .selectFrom('withdrawals')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? ''))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map(withdrawalFromRow);
}

type PageAfterCursor = Partial<ReturnType<typeof spanOfDays>> & {
  readonly statuses: readonly WithdrawalStatus[] | undefined;
  readonly after: ListCursor | undefined;
  readonly limit: number;
};

/** Lists the merchant's withdrawals that follow a cursor, newest first: those older than the cursor's position. */
export async function selectWithdrawalsAfter(
  db: Db,
  merchantId: number,
  { statuses, from, until, after, limit }: PageAfterCursor,
): Promise<Withdrawal[]> {
  const rows = await db
    .selectFrom('withdrawals')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .$if(statuses !== undefined, (query) => query.where('status', 'in', literals(statuses ?? [])))
    .$if(from !== undefined, (query) => query.where(sql<boolean>`created_at >= ${from}`))
    .$if(until !== undefined, (query) => query.where(sql<boolean>`created_at < ${until}`))
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(created_at, id) < (${after?.createdAt}, ${after?.id}::uuid)`),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(withdrawalFromRow);
}

/** Puts statuses into SQL as literals instead of parameters: the planner matches a partial index only to a literal. */
const literals = (statuses: readonly WithdrawalStatus[]) => statuses.map((status) => sql.lit(status));

export async function readWithdrawalCounts(db: Db, merchantId: number) {
  return db
    .selectFrom('merchant_counters')
    .select(['pending_withdrawals_count', 'completed_withdrawals_count', 'failed_withdrawals_count'])
    .where('merchant_id', '=', merchantId)
    .executeTakeFirstOrThrow();
}

/**
 * Sums, in cents, the withdrawals that were first sent at `from` or later and did not fail. Without a merchant, sums
 * those of all merchants.
 */
export async function sumSentSince(db: DbOrTx, from: Date, merchantId: number | undefined): Promise<number> {
  const { cents } = await db
    .selectFrom('withdrawals')
    .select(sql<number>`coalesce(sum(amount_cents), 0)::bigint`.as('cents'))
    .where('first_sent_at', '>=', from)
    .where('status', '<>', 'failed')
    .$if(merchantId !== undefined, (query) => query.where('merchant_id', '=', merchantId ?? 0))
    .executeTakeFirstOrThrow();
  return cents;
}

/** Sums, in cents, the unsent withdrawals of all merchants. */
export async function sumUnsent(db: DbOrTx): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(amount_cents), 0)::bigint as cents
    from withdrawals where status = 'pending'
  `.execute(db);
  return rows[0]?.cents ?? 0;
}

/**
 * Reads and locks the withdrawal that is to be sent next from an account. Skips withdrawals that an operator holds or
 * that another process has locked.
 */
export async function lockNextWithdrawalToSend(
  tx: Tx,
  connectionId: number,
): Promise<Withdrawal | undefined> {
  const ready = tx.db
    .selectFrom('withdrawals')
    .selectAll()
    .where('connection_id', '=', connectionId)
    .where('status', '=', 'pending')
    .where('operator_hold_reason', 'is', null)
    .where('due_at', '<=', tx.now);
  if (!isSharded()) {
    const row = await ready.orderBy('due_at').limit(1).forUpdate().skipLocked().executeTakeFirst();
    return row && withdrawalFromRow(row);
  }
  // A cluster locks the rows of one merchant at a time. Each is read again, because another process may have had it.
  for (const { merchant_id, id } of await ready.orderBy('due_at').limit(100).execute()) {
    const row = await ready
      .where('merchant_id', '=', merchant_id)
      .where('id', '=', id)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (row !== undefined) return withdrawalFromRow(row);
  }
  return undefined;
}

/** Whether the ledger debited exactly the withdrawal's amount and has posted nothing else for it since. */
export async function isWithdrawalDebited(
  tx: Tx,
  { merchantId, id, amountCents }: Withdrawal,
): Promise<boolean> {
  const rows = await tx.db
    .selectFrom('ledger_entries')
    .select(['event', 'in_transit_cents'])
    .where('reference', '=', id)
    .where('merchant_id', '=', merchantId)
    .execute();
  const [entry, ...furtherEntries] = rows;
  if (entry === undefined || furtherEntries.length > 0) return false;
  return entry.event === 'withdrawal requested' && entry.in_transit_cents === amountCents;
}

/**
 * Leases the withdrawals of an account that are due for a look-up until `until`, earliest first, and counts the look-up
 * of each.
 */
export async function leaseDueLookUps(
  tx: Tx,
  connectionId: number,
  until: Date,
  limit: number,
): Promise<Withdrawal[]> {
  const { rows } = await sql<WithdrawalRow>`
    update withdrawals set due_at = ${until}, lookup_count = lookup_count + 1
    from (
      select merchant_id, id from withdrawals
      where due_at <= ${tx.now} and status in ('processing', 'completed') and connection_id = ${connectionId}
      order by due_at limit ${limit}
      ${lockSeveral('for update skip locked')}
    ) due
    where withdrawals.merchant_id = due.merchant_id and withdrawals.id = due.id and withdrawals.due_at <= ${tx.now}
    returning withdrawals.*
  `.execute(tx.db);
  return rows.map(withdrawalFromRow);
}

/** Identifies a withdrawal by its id at the bank. */
type OrderKey = Pick<Withdrawal, 'merchantId' | 'idEnvio'>;

/** Makes sent withdrawals of an account due for a look-up now. */
export async function makeLookUpsDue(
  tx: Tx,
  connectionId: number,
  orders: readonly OrderKey[],
): Promise<void> {
  if (orders.length === 0) return;
  await sql`
    update withdrawals set due_at = ${tx.now}
    from (
      select merchant_id, id from withdrawals
      join ${unnestKeys(orders)} using (merchant_id, id_envio)
      where status in ('processing', 'completed') and connection_id = ${connectionId}
      order by merchant_id, id
      ${lockSeveral('for update', 'withdrawals')}
    ) hinted
    where withdrawals.merchant_id = hinted.merchant_id and withdrawals.id = hinted.id
      and withdrawals.status in ('processing', 'completed')
  `.execute(tx.db);
}

/**
 * Finds withdrawals of an account by idEnvio, their id at the bank. Ids without a withdrawal at this account are absent
 * from the result.
 */
export async function findByIdEnvio(
  db: DbOrTx,
  connectionId: number,
  orders: readonly OrderKey[],
): Promise<Map<string, Withdrawal>> {
  if (orders.length === 0) return new Map();
  const { rows } = await sql<WithdrawalRow>`
    select withdrawals.* from withdrawals join ${unnestKeys(orders)} using (merchant_id, id_envio)
    where connection_id = ${connectionId}
  `.execute(db);
  return new Map(rows.map((row) => [row.id_envio, withdrawalFromRow(row)]));
}

function unnestKeys(orders: readonly OrderKey[]) {
  return sql`unnest(
    ${numberArray(orders.map(({ merchantId }) => merchantId))}::bigint[],
    ${textArray(orders.map(({ idEnvio }) => idEnvio))}::text[]
  ) order_key (merchant_id, id_envio)`;
}

/** Reads the time up to which an account's list of sent Pix was read; undefined if it was never read. */
export async function readSentListCursor(db: Db, connectionId: number): Promise<Date | undefined> {
  const row = await db
    .selectFrom('payout_list_position')
    .select('read_until')
    .where('connection_id', '=', connectionId)
    .executeTakeFirst();
  return row?.read_until;
}

export async function writeSentListCursor(tx: Tx, connectionId: number, until: Date): Promise<void> {
  await tx.db
    .insertInto('payout_list_position')
    .values({ connection_id: connectionId, read_until: until })
    .onConflict((conflict) => conflict.column('connection_id').doUpdateSet({ read_until: until }))
    .execute();
}

/**
 * Makes the withdrawals from an account that waited for payouts to resume due now, and wakes the sending loop after the
 * commit.
 */
export async function makeWithdrawalsDueAfterResume(tx: Tx, connectionId: number): Promise<void> {
  tx.wakeAfterCommit({ hasOrders: true });
  await sql`
    update withdrawals set due_at = ${tx.now}
    from (
      select merchant_id, id from withdrawals
      where status = 'pending' and error_code = 'WITHDRAWALS_PAUSED' and connection_id = ${connectionId}
      order by merchant_id, id
      ${lockSeveral('for update')}
    ) stopped
    where withdrawals.merchant_id = stopped.merchant_id and withdrawals.id = stopped.id
      and withdrawals.status = 'pending' and withdrawals.error_code = 'WITHDRAWALS_PAUSED'
  `.execute(tx.db);
}

/**
 * Makes the withdrawals that waited for the merchant's account to be unfrozen due now, and wakes the sending loop after
 * the commit.
 */
export async function makeWithdrawalsDueAfterUnfreeze(tx: Tx, merchantId: number): Promise<void> {
  tx.wakeAfterCommit({ hasOrders: true });
  await tx.db
    .updateTable('withdrawals')
    .set({ due_at: tx.now })
    .where('merchant_id', '=', merchantId)
    .where('status', '=', 'pending')
    .where('error_code', '=', 'ACCOUNT_FROZEN')
    .execute();
}

/** Whether the operator has yet to explain a payout from an account that contradicts the ledger, by closing its open item. */
export async function hasUnexplainedPayouts(tx: Tx, connectionId: number): Promise<boolean> {
  const row = await tx.db
    .selectFrom('open_items')
    .select('id')
    .where('kind', 'in', [...kindsThatStopPayouts])
    .where('closed_at', 'is', null)
    .where('connection_id', '=', connectionId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
