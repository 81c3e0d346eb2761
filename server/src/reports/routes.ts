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
import { firstTimeIdAt } from '../time-id.ts';
import { readTimeline } from './payment-timeline.ts';
import { readBalance, readFigures, walletStats } from './wallet-stats.ts';

export function reportRoutes(deps: Deps): Route[] {
  return [
    route(getWalletStats, ({ caller }) => walletStats(deps, caller.accountId)),
    route(getBalance, ({ caller }) => readBalance(deps, caller.accountId)),
    route(paymentTimeline, async ({ params, caller }) => ({
      data: await readTimeline(
        deps.db,
        { merchantId: caller.accountId, id: params.id },
        { namesMakers: caller.authMethod === 'session' },
      ),
    })),
    route(getChargeStats, ({ query, caller }) => chargeStats(deps, caller.accountId, query.days)),
    route(getDailyStats, ({ query, caller }) => dailyStats(deps, caller.accountId, query.days)),
  ];
}

/** At most this many charges are counted, so that the cost of a query does not grow with the table. */
const MAX_CHARGES = 10_000;

/**
 * Counts and sums, by status, the charges created in the last `days` calendar days of America/Sao_Paulo, today
 * included. `complete` is false if there may be more charges than were counted.
 */
export async function chargeStats(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  merchantId: number,
  days: number,
): Promise<ChargeStats> {
  const since = startOfDay(daysAfter(calendarDayOf(clock.now()), 1 - days));
  const rows = await sumByStatus(db, merchantId, since);
  const rowByStatus = new Map(rows.map((row) => [row.status, row]));
  const countedCharges = rows.reduce((sum, { count }) => sum + count, 0);
  return {
    statuses: chargeStatuses.map((status) => ({
      status,
      count: rowByStatus.get(status)?.count ?? 0,
      amount: brlFromCents(rowByStatus.get(status)?.cents ?? 0),
    })),
    complete: countedCharges < MAX_CHARGES,
  };
}

type StatusRow = { readonly status: string; readonly count: number; readonly cents: number };

/**
 * Counts and sums the newest charges, at most `MAX_CHARGES`. The ids of charges are in the order of their creation, so
 * the primary key finds the newest ones.
 */
async function sumByStatus(db: Db, merchantId: number, since: Date): Promise<StatusRow[]> {
  const { rows } = await sql<StatusRow>`
    select status, count(*) as count, sum(amount_cents)::bigint as cents
    from (
      select status, amount_cents from charges
      where merchant_id = ${merchantId} and id >= ${firstTimeIdAt(since)}::uuid
      order by id desc limit ${sql.lit(MAX_CHARGES)}
    ) newest
    group by status
  `.execute(db);
  return rows;
}

/** Reads the amount received and the balance on each of the last `days` days in America/Sao_Paulo, today last. */
export async function dailyStats(
  deps: Pick<Deps, 'clock'> & Parameters<typeof readFigures>[0],
  merchantId: number,
  days: number,
): Promise<DailyStats> {
  const dayList = lastDays(deps.clock.now(), days);
  const [receivedRows, balances] = await Promise.all([
    deps.db
      .selectFrom('merchant_days')
      .select(['day', 'received_cents', 'received_count'])
      .where('merchant_id', '=', merchantId)
      .where('day', '>=', dayList[0] ?? '')
      .execute(),
    readFigures(deps, merchantId).then(({ at, availableCents }) =>
      readDayEndBalances(deps.db, merchantId, { at, currentCents: availableCents }, dayList),
    ),
  ]);
  const receivedByDay = new Map(receivedRows.map((row) => [row.day, row]));
  return {
    days: dayList.map((day) => ({
      day,
      received: brlFromCents(receivedByDay.get(day)?.received_cents ?? 0),
      count: receivedByDay.get(day)?.received_count ?? 0,
      balance: brlFromCents(balances.get(day) ?? 0),
    })),
  };
}

/** The last `days` calendar days, oldest first. */
function lastDays(now: Date, days: number): string[] {
  return Array.from({ length: days }, (_, index) => daysAfter(calendarDayOf(now), index + 1 - days));
}
