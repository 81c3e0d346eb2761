import { brlFromCents, type DailyStats } from '@jangada/contract';
import { calendarDayOf, daysAfter } from '../calendar-day.ts';
import type { Deps } from '../deps.ts';
import { readDayEndBalances } from '../ledger/index.ts';

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
