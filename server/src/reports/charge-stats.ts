import { brlFromCents, type ChargeStats, chargeStatuses } from '@jangada/contract';
import { sql } from 'kysely';
import { calendarDayOf, daysAfter, startOfDay } from '../calendar-day.ts';
import type { Db } from '../db/pool.ts';
import type { Deps } from '../deps.ts';

/** Maximum number of charges read. */
const MOST_READ = 10_000;

/** The charges created in the last `days` calendar days of America/Sao_Paulo, today included, by status. */
export async function chargeStats(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  merchantId: number,
  days: number,
): Promise<ChargeStats> {
  const since = startOfDay(daysAfter(calendarDayOf(clock.now()), 1 - days));
  const found = new Map((await sumByStatus(db, merchantId, since)).map((row) => [row.status, row]));
  return {
    statuses: chargeStatuses.map((status) => ({
      status,
      count: found.get(status)?.count ?? 0,
      amount: brlFromCents(found.get(status)?.cents ?? 0),
    })),
    complete: [...found.values()].reduce((sum, { count }) => sum + count, 0) < MOST_READ,
  };
}

type StatusRow = { readonly status: string; readonly count: number; readonly cents: number };

/** Counts only the newest, found by their index. */
async function sumByStatus(db: Db, merchantId: number, since: Date): Promise<StatusRow[]> {
  const { rows } = await sql<StatusRow>`
    select status, count(*) as count, sum(amount_cents)::bigint as cents
    from (
      select status, amount_cents from charges
      where merchant_id = ${merchantId} and created_at >= ${since}
      order by created_at desc, id desc limit ${sql.lit(MOST_READ)}
    ) newest
    group by status
  `.execute(db);
  return rows;
}
