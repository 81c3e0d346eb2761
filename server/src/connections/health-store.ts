// What is known of how a merchant's own account works at its bank. None of this changes `updated_at`, which makes every
// process read the row again.
import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import type { DB } from '../db/schema.ts';
import type { Tx, TxOrDb } from '../db/transaction.ts';

type Row = Selectable<DB['bank_connections']>;

/** An account that broke, or that works again. */
export type BrokenConnection = Pick<Row, 'id' | 'merchant_id' | 'bank' | 'pix_key' | 'created_at'> & {
  readonly broken_since: Date;
  readonly broken_reason: string;
  readonly is_broken_told: boolean;
};

export type BrokenState = 'no' | 'told' | 'untold';

const columns = sql.join(
  ['id', 'merchant_id', 'bank', 'pix_key', 'created_at'].map((column) => sql.ref(`connection.${column}`)),
);

/** Records that the banks of these accounts answer, and returns those accounts that were broken until now. */
export async function recordAnswers(tx: Tx, ids: readonly number[]): Promise<BrokenConnection[]> {
  const { rows } = await sql<BrokenConnection>`
    update bank_connections connection
    set last_answer_at = ${tx.now}, broken_since = null, broken_reason = null, is_broken_told = false
    from (
      select id, broken_since, broken_reason, is_broken_told from bank_connections
      where id = any(${ids}::integer[]) and state <> 'retired'
      order by id for no key update
    ) before
    where connection.id = before.id
    returning ${columns}, before.broken_since, before.broken_reason, before.is_broken_told
  `.execute(tx.db);
  return rows.filter((row) => row.broken_since !== null);
}

/**
 * Records that nothing has worked at the bank of an account since then. Returns undefined if that is recorded already, or
 * if the bank answered another process meanwhile.
 */
export async function recordBroken(
  tx: Tx,
  id: number,
  { since, reason, isTold }: { readonly since: Date; readonly reason: string; readonly isTold: boolean },
): Promise<BrokenConnection | undefined> {
  const { rows } = await sql<BrokenConnection>`
    update bank_connections connection
    set broken_since = ${since}, broken_reason = ${reason}, is_broken_told = ${isTold}
    where id = ${id} and broken_since is null and state not in ('draft', 'retired')
      and (last_answer_at is null or last_answer_at < ${since})
    returning ${columns}, broken_since, broken_reason, is_broken_told
  `.execute(tx.db);
  return rows[0];
}

/** Whether an account is recorded as broken, and whether its owner was told so. */
export async function readBroken({ db }: Tx, id: number): Promise<BrokenState> {
  const row = await db
    .selectFrom('bank_connections')
    .select(['broken_since', 'is_broken_told'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined || row.broken_since === null) return 'no';
  return row.is_broken_told ? 'told' : 'untold';
}

/** Marks the owners of these broken accounts as told, and returns the accounts whose owners were not. */
export async function takeUntold(tx: Tx, ids: readonly number[]): Promise<BrokenConnection[]> {
  const { rows } = await sql<BrokenConnection>`
    update bank_connections connection set is_broken_told = true
    where id = any(${ids}::integer[]) and broken_since is not null and not is_broken_told and state <> 'retired'
    returning ${columns}, broken_since, broken_reason, is_broken_told
  `.execute(tx.db);
  return rows;
}

/** Counts the accounts at which nothing works now. */
export async function countBroken({ db }: Pick<TxOrDb, 'db'>): Promise<number> {
  const { count } = await db
    .selectFrom('bank_connections')
    .select((expression) => expression.fn.countAll<number>().as('count'))
    .where('broken_since', 'is not', null)
    .where('state', '<>', 'retired')
    .executeTakeFirstOrThrow();
  return count;
}
