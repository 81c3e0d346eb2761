// What merchants owe in fees according to the books, and how much of it their statements have already.

import { sql } from 'kysely';
import { numberArray } from '../db/arrays.ts';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';
import { HOUSE_CONNECTION } from '../psp/index.ts';
import { type FeesOfDay, firstDayOf, monthOf } from './fee-statement.ts';

/** The merchants with accounts of their own who may have fees of this month or before that no statement has. */
export async function findMerchantsToClose(db: Db, month: string): Promise<number[]> {
  const { rows } = await sql<{ merchant_id: number }>`
    select distinct merchant_id from bank_connections connection
    where not exists (
      select from fee_statements statement
      where statement.merchant_id = connection.merchant_id and month = ${firstDayOf(month)}::date)
    order by 1
  `.execute(db);
  const merchantIds = rows.map((row) => row.merchant_id);
  if (merchantIds.length === 0) return [];
  const { rows: owing } = await sql<{ merchant_id: number }>`
    select merchant_id from ledger_balances
    where merchant_id = any(${numberArray(merchantIds)}::bigint[]) and connection_id = ${HOUSE_CONNECTION}
      and fees_due_cents < 0
    order by 1
  `.execute(db);
  return owing.map((row) => row.merchant_id);
}

/** The sum of a merchant's fees. `lastClosedMonth`: of the newest statement; undefined before the first one. */
export type DueFees = {
  readonly lastClosedMonth: string | undefined;
  /** The fees that no statement has yet, oldest day first. */
  readonly unclosedDays: readonly FeesOfDay[];
};

/**
 * Reads the fees of a merchant that no statement has yet. Days before the newest statement are read no more: a
 * transaction that books a fee late is late by minutes at most.
 */
export async function readDueFees(db: Db | Tx['db'], merchantId: number): Promise<DueFees> {
  const newest = await db
    .selectFrom('fee_statements')
    .select('month')
    .where('merchant_id', '=', merchantId)
    .orderBy('month', 'desc')
    .limit(1)
    .executeTakeFirst();
  const since = newest?.month ?? '2000-01-01';
  const { rows: accrued } = await sql<{ day: string; fees: number; cents: number }>`
    select (posted_at at time zone 'America/Sao_Paulo')::date as day, count(*) as fees,
           -sum(fees_due_cents)::bigint as cents
    from ledger_entries
    where merchant_id = ${merchantId} and connection_id = ${HOUSE_CONNECTION} and fees_due_cents < 0
      and posted_at >= ${since}::date::timestamp at time zone 'America/Sao_Paulo'
    group by 1 order by 1
  `.execute(db);
  const { rows: closed } = await sql<{ day: string; fees: number; cents: number }>`
    select day, sum(fee_count)::bigint as fees, sum(amount_cents)::bigint as cents
    from fee_statement_days where merchant_id = ${merchantId} and day >= ${since}::date
    group by day
  `.execute(db);
  const closedByDay = new Map(closed.map((row) => [row.day, row]));
  const unclosedDays = accrued.flatMap(({ day, fees, cents }) => {
    const { fees: closedFees = 0, cents: closedCents = 0 } = closedByDay.get(day) ?? {};
    return cents === closedCents
      ? []
      : [{ day, feeCount: fees - closedFees, amountCents: cents - closedCents }];
  });
  return { lastClosedMonth: newest && monthOf(newest.month), unclosedDays };
}

/** A merchant's debt according to the books, and the sum of the open statements, in integer cents. */
export async function readOwedFees(
  tx: Tx,
  merchantId: number,
): Promise<{ owedCents: number; openCents: number }> {
  const books = await tx.db
    .selectFrom('ledger_balances')
    .select('fees_due_cents')
    .where('merchant_id', '=', merchantId)
    .where('connection_id', '=', HOUSE_CONNECTION)
    .executeTakeFirst();
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(amount_cents), 0)::bigint as cents
    from fee_statements where merchant_id = ${merchantId} and state = 'open'
  `.execute(tx.db);
  return { owedCents: -(books?.fees_due_cents ?? 0), openCents: rows[0]?.cents ?? 0 };
}
