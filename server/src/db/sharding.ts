import { type RawBuilder, sql, type Transaction } from 'kysely';
import { textArray } from './arrays.ts';
import type { DB } from './schema.ts';

let sharded = false;

/**
 * Whether the rows of different merchants may be on different servers (docs/cluster.md). A process has one database, so
 * this is a property of the process. `migrate` finds it out, and a command that joins the database of a gateway.
 */
export function isSharded(): boolean {
  return sharded;
}

export function setSharded(value: boolean): void {
  sharded = value;
}

/**
 * A condition that is true for the rows that a statement reaches anyway, those of these merchants. By it a cluster knows
 * which servers the statement concerns; on one server it is left out.
 */
export function ofMerchants(column: string, merchantIds: readonly number[]): RawBuilder<unknown> {
  return sharded ? sql`and ${sql.ref(column)} = any(${[...new Set(merchantIds)]}::bigint[])` : sql``;
}

/** The same for received Pix, whose servers follow from their ids. */
export function ofPix(column: string, endToEndIds: readonly string[]): RawBuilder<unknown> {
  return sharded ? sql`and ${sql.ref(column)} = any(${textArray(endToEndIds)}::text[])` : sql``;
}

/**
 * Locks a received Pix on the coordinator too, until the transaction ends. In a cluster, the lock of its row ends a moment
 * before the coordinator's own rows are committed, if the transaction changed no row of a worker.
 */
export async function lockPixOnCoordinator(db: Transaction<DB>, endToEndId: string): Promise<void> {
  if (sharded) await sql`select pg_advisory_xact_lock(hashtextextended(${endToEndId}, 0))`.execute(db);
}

/**
 * A locking clause for rows of several merchants. On one server it makes two transactions lock in the same order, or
 * lets one skip what the other has locked. In a cluster no statement can lock rows on several servers, so the clause is
 * left out. The statement that changes the rows must then check their state once more, and gets it right without.
 */
export function lockSeveral(
  clause: 'for update' | 'for no key update' | 'for update skip locked',
  table?: string,
): RawBuilder<unknown> {
  if (sharded) return sql``;
  const [strength, ...skip] = clause.split(/(?= skip)/);
  return sql.raw([strength, ...(table === undefined ? [] : [` of ${table}`]), ...skip].join(''));
}
