import type { CycleReason, CycleStatus } from '@jangada/contract';
import { type Selectable, sql } from 'kysely';
import { numberArray, textArray } from '../db/arrays.ts';
import type { Db } from '../db/pool.ts';
import type { DB } from '../db/schema.ts';
import type { Tx } from '../db/transaction.ts';
import type { SubscriptionKey } from './store.ts';
import type { CancelBecause, StoredCycle, StoredDebitAttempt } from './subscription.ts';

type Reader = Db | Tx['db'];

export type CycleKey = Pick<StoredCycle, 'merchantId' | 'subscriptionId' | 'number'>;
type CycleInAccount = Omit<CycleKey, 'merchantId'>;

// The tables' CHECKs admit only the words of the types that the rows are read as.
function cycleFrom(row: Selectable<DB['cycles']>): StoredCycle {
  return {
    merchantId: row.merchant_id,
    subscriptionId: row.subscription_id,
    number: row.number,
    dueDay: row.due_day,
    debitDay: row.debit_day,
    amountCents: row.amount_cents,
    status: row.status as CycleStatus,
    reason: row.reason as CycleReason | null,
    code: row.code,
    text: row.text,
    cancelBecause: row.cancel_because as CancelBecause | null,
    chargeId: row.charge_id,
    paidAt: row.paid_at,
    checks: row.checks,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function attemptFrom(row: Selectable<DB['debit_attempts']>): StoredDebitAttempt {
  return {
    subscriptionId: row.subscription_id,
    number: row.number,
    id: row.id,
    day: row.day,
    isRetry: row.is_retry,
    status: row.status as StoredDebitAttempt['status'],
    code: row.code,
    text: row.text,
  };
}

/** Leases cycles of an account that are due, as `leaseDueMandates` does. */
export async function leaseDueCycles(
  tx: Tx,
  connectionId: number,
  until: Date,
  limit: number,
): Promise<StoredCycle[]> {
  const { rows } = await sql<Selectable<DB['cycles']>>`
    update cycles set check_at = ${until}, checks = cycles.checks + 1
    from (
      select cycles.merchant_id, cycles.subscription_id, cycles.number from cycles
      join subscriptions on subscriptions.merchant_id = cycles.merchant_id
        and subscriptions.id = cycles.subscription_id
      where cycles.check_at <= ${tx.now} and subscriptions.connection_id = ${connectionId}
      order by cycles.check_at limit ${limit} for update of cycles skip locked
    ) due
    where cycles.merchant_id = due.merchant_id and cycles.subscription_id = due.subscription_id
      and cycles.number = due.number
    returning cycles.*
  `.execute(tx.db);
  return rows.map(cycleFrom);
}

export async function insertCycle(
  tx: Tx,
  cycle: Pick<
    StoredCycle,
    'merchantId' | 'subscriptionId' | 'number' | 'dueDay' | 'debitDay' | 'amountCents'
  >,
  checkAt: Date,
): Promise<StoredCycle> {
  const row = await tx.db
    .insertInto('cycles')
    .values({
      merchant_id: cycle.merchantId,
      subscription_id: cycle.subscriptionId,
      number: cycle.number,
      due_day: cycle.dueDay,
      debit_day: cycle.debitDay,
      amount_cents: cycle.amountCents,
      check_at: checkAt,
      created_at: tx.now,
      updated_at: tx.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return cycleFrom(row);
}

export async function findCycle(
  db: Reader,
  { merchantId, subscriptionId, number }: CycleKey,
): Promise<StoredCycle | undefined> {
  const row = await db
    .selectFrom('cycles')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('subscription_id', '=', subscriptionId)
    .where('number', '=', number)
    .executeTakeFirst();
  return row && cycleFrom(row);
}

/** The cycles of a subscription with numbers below `before`, newest first. */
export async function listCycles(
  db: Reader,
  { merchantId, id }: SubscriptionKey,
  { limit, before }: { readonly limit: number; readonly before?: number | undefined },
): Promise<StoredCycle[]> {
  const rows = await db
    .selectFrom('cycles')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('subscription_id', '=', id)
    .$if(before !== undefined, (query) => query.where('number', '<', before as number))
    .orderBy('number', 'desc')
    .limit(limit)
    .execute();
  return rows.map(cycleFrom);
}

type CycleChanges = Partial<
  Pick<
    Selectable<DB['cycles']>,
    'amount_cents' | 'debit_day' | 'code' | 'text' | 'charge_id' | 'paid_at' | 'check_at' | 'checks'
  > & { status: CycleStatus; reason: CycleReason | null; cancel_because: CancelBecause }
>;

export async function updateCycle(
  tx: Tx,
  { merchantId, subscriptionId, number }: CycleKey,
  changes: CycleChanges,
): Promise<void> {
  await tx.db
    .updateTable('cycles')
    .set({ ...changes, updated_at: tx.now })
    .where('merchant_id', '=', merchantId)
    .where('subscription_id', '=', subscriptionId)
    .where('number', '=', number)
    .execute();
}

/** Stores what is known of tries. One that was paid stays paid. */
export async function storeAttempts(
  tx: Tx,
  { merchantId, subscriptionId, number }: CycleKey,
  attempts: readonly Omit<StoredDebitAttempt, keyof CycleInAccount>[],
): Promise<void> {
  for (const { id, day, isRetry, status, code, text } of attempts)
    await sql`
      insert into debit_attempts (
        merchant_id, subscription_id, number, id, day, is_retry, status, code, text, updated_at)
      values (${merchantId}, ${subscriptionId}, ${number}, ${id}, ${day}, ${isRetry}, ${status}, ${code}, ${text},
              ${tx.now})
      on conflict (merchant_id, subscription_id, number, id) do update
      set day = excluded.day, status = excluded.status, code = excluded.code, text = excluded.text,
          updated_at = excluded.updated_at
      where debit_attempts.status <> 'paid'
        and (debit_attempts.day, debit_attempts.status, debit_attempts.code)
          is distinct from (excluded.day, excluded.status, excluded.code)
    `.execute(tx.db);
}

/** Whether a row belongs to a cycle. */
export const isOfCycle = (cycle: CycleInAccount) => (row: CycleInAccount) =>
  row.subscriptionId === cycle.subscriptionId && row.number === cycle.number;

/** The rows of cycles of an account in another table, each cycle looked up by itself, as `rowsById` does. */
function rowsOfCycles(
  table: 'debit_attempts' | 'cycle_codes',
  merchantId: number,
  cycles: readonly CycleInAccount[],
) {
  const ids = textArray(cycles.map(({ subscriptionId }) => subscriptionId));
  const numbers = numberArray(cycles.map(({ number }) => number));
  return sql`
    unnest(${ids}::uuid[], ${numbers}::int[]) wanted (subscription_id, number)
    cross join lateral (
      select * from ${sql.table(table)} rows
      where rows.merchant_id = ${merchantId} and rows.subscription_id = wanted.subscription_id
        and rows.number = wanted.number
      offset 0
    ) found`;
}

/**
 * The tries of cycles of one account, by day. One that we asked for is left out once the bank shows it, be it on a later
 * day.
 */
export async function listAttempts(
  db: Reader,
  merchantId: number,
  cycles: readonly CycleInAccount[],
): Promise<StoredDebitAttempt[]> {
  if (cycles.length === 0) return [];
  const { rows } = await sql<Selectable<DB['debit_attempts']>>`
    select found.* from ${rowsOfCycles('debit_attempts', merchantId, cycles)} order by found.day, found.id
  `.execute(db);
  const attempts = rows.map(attemptFrom);
  const isShown = (asked: StoredDebitAttempt) =>
    attempts
      .filter(isOfCycle(asked))
      .some(
        ({ isRetry, day, status, id }) => isRetry && status !== 'asked' && day >= asked.day && id !== day,
      );
  return attempts.filter((attempt) => attempt.status !== 'asked' || !isShown(attempt));
}

/** Notes a charge with a code as one of a cycle's. */
export async function insertCycleCode(tx: Tx, key: CycleKey, chargeId: string): Promise<void> {
  await tx.db
    .insertInto('cycle_codes')
    .values({
      merchant_id: key.merchantId,
      charge_id: chargeId,
      subscription_id: key.subscriptionId,
      number: key.number,
    })
    .execute();
}

export type CycleCode = CycleInAccount & { readonly chargeId: string };

/** The ids of the charges with codes of cycles of one account, the newest of each cycle first. */
export async function listCycleCodes(
  db: Reader,
  merchantId: number,
  cycles: readonly CycleInAccount[],
): Promise<CycleCode[]> {
  if (cycles.length === 0) return [];
  const { rows } = await sql<Selectable<DB['cycle_codes']>>`
    select found.* from ${rowsOfCycles('cycle_codes', merchantId, cycles)} order by found.charge_id desc
  `.execute(db);
  return rows.map((row) => ({
    subscriptionId: row.subscription_id,
    number: row.number,
    chargeId: row.charge_id,
  }));
}

const untriedStatuses = ['planned', 'sending', 'scheduled'] as const;

/** The earliest cycle of each subscription that is planned or under way; with `isUntried`, before its first try. */
export async function findNextCycles(
  db: Reader,
  merchantId: number,
  ids: readonly string[],
  { isUntried = false } = {},
): Promise<ReadonlyMap<string, StoredCycle>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('cycles')
    .selectAll()
    .distinctOn('subscription_id')
    .where('merchant_id', '=', merchantId)
    .where('subscription_id', 'in', ids)
    .where('status', 'in', [...untriedStatuses, ...(isUntried ? [] : ['retrying'])])
    .orderBy('subscription_id')
    .orderBy('number')
    .execute();
  return new Map(rows.map((row) => [row.subscription_id, cycleFrom(row)]));
}

/** Makes the cycle of a charge due, if its mandate is at this account: the word of one bank wakes nothing of another. */
export async function wakeCycle(
  tx: Tx,
  connectionId: number,
  {
    merchantId,
    id: chargeId,
    txid,
  }: { readonly merchantId: number; readonly id: string; readonly txid: string },
): Promise<void> {
  await sql`
    update cycles set check_at = ${tx.now}, checks = 0
    from charges
    where cycles.merchant_id = ${merchantId} and cycles.charge_id = ${chargeId}
      and charges.merchant_id = cycles.merchant_id and charges.id = cycles.charge_id
      and charges.txid = ${txid} and charges.connection_id = ${connectionId}
  `.execute(tx.db);
}

/** The cycles to come until a day, and their sum as far as their amounts are known. */
export async function sumCyclesUntil(db: Reader, merchantId: number, day: string) {
  const { rows } = await sql<{ count: number; cents: number }>`
    select count(*)::int as count, coalesce(sum(amount_cents), 0)::bigint as cents from cycles
    where merchant_id = ${merchantId} and debit_day <= ${day}
      and status in ('planned', 'sending', 'scheduled', 'retrying')
  `.execute(db);
  return rows[0] ?? { count: 0, cents: 0 };
}
