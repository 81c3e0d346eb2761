import {
  brlFromCents,
  type ChargeStats,
  chargeStatuses,
  type DailyStats,
  getBalance,
  getChargeStats,
  getDailyStats,
  getWalletStats,
  paymentTimeline,
} from '@jangada/contract';
import { sql } from 'kysely';
import { calendarDayOf, daysAfter, startOfDay } from '../calendar-day.ts';
import type { Db } from '../db/pool.ts';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { readDayEndBalances } from '../ledger/index.ts';
import { readTimeline } from './payment-timeline.ts';
import { readBalance, walletStats } from './wallet-stats.ts';

export function reportRoutes(deps: Deps): Route[] {
  return [
    route(getWalletStats, ({ caller }) => walletStats(deps, caller.userId)),
    route(getBalance, ({ caller }) => readBalance(deps, caller.userId)),
    route(paymentTimeline, async ({ params, caller }) => ({
      data: await readTimeline(deps.db, caller.userId, params.id),
    })),
    route(getChargeStats, ({ query, caller }) => chargeStats(deps, caller.userId, query.days)),
    route(getDailyStats, ({ query, caller }) => dailyStats(deps, caller.userId, query.days)),
  ];
}

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

/** Amount received and balance for each of the last `days` calendar days of America/Sao_Paulo, today last. */
export async function dailyStats(
  deps: Pick<Deps, 'db' | 'clock'>,
  merchantId: number,
  days: number,
): Promise<DailyStats> {
  const span = lastDays(deps.clock.now(), days);
  const [received, balances] = await Promise.all([
    deps.db
      .selectFrom('merchant_days')
      .select(['day', 'received_cents', 'received_count'])
      .where('merchant_id', '=', merchantId)
      .where('day', '>=', span[0] ?? '')
      .execute(),
    readDayEndBalances(deps.db, merchantId, span),
  ]);
  const receivedOn = new Map(received.map((row) => [row.day, row]));
  return {
    days: span.map((day) => ({
      day,
      received: brlFromCents(receivedOn.get(day)?.received_cents ?? 0),
      count: receivedOn.get(day)?.received_count ?? 0,
      balance: brlFromCents(balances.get(day) ?? 0),
    })),
  };
}

/** Calendar days, oldest first. */
function lastDays(now: Date, days: number): string[] {
  return Array.from({ length: days }, (_, index) => daysAfter(calendarDayOf(now), index + 1 - days));
}
