import type { Maker } from '@jangada/contract';
import { sql } from 'kysely';
import { numberArray } from '../db/arrays.ts';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';

/** Something in an account that a person may have made; `madeBy` is null if nobody did in the dashboard. */
export type Made = { readonly merchantId: number; readonly madeBy: number | null };

/** Reads who made some things, in one statement. Returns a function that tells the maker of each. */
export async function readMakers(
  db: Db | Tx['db'],
  things: readonly Made[],
): Promise<(thing: Made) => Maker | null> {
  const made = things.flatMap(({ merchantId, madeBy }) => (madeBy === null ? [] : [{ merchantId, madeBy }]));
  if (made.length === 0) return () => null;
  const { rows } = await sql<{ merchant_id: number; id: number; name: string; member: boolean }>`
    select distinct made.merchant_id, users.id, users.name, members.user_id is not null as member
    from unnest(
        ${numberArray(made.map(({ merchantId }) => merchantId))}::bigint[],
        ${numberArray(made.map(({ madeBy }) => madeBy))}::bigint[]) made (merchant_id, user_id)
      join users on users.id = made.user_id
      left join members on members.merchant_id = made.merchant_id and members.user_id = made.user_id
  `.execute(db);
  const makers = new Map(
    rows.map(({ merchant_id, id, name, member }) => [
      `${merchant_id} ${id}`,
      { id: String(id), name, member },
    ]),
  );
  return ({ merchantId, madeBy }) => makers.get(`${merchantId} ${madeBy}`) ?? null;
}

/** Reads who made one thing. */
export async function readMaker(db: Db | Tx['db'], thing: Made): Promise<Maker | null> {
  return (await readMakers(db, [thing]))(thing);
}
