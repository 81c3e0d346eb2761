import { calendarDayOf, daysAfter, startOfDay } from '../calendar-day.ts';
import { Refusal } from '../refusal.ts';

/** Calendar days in America/Sao_Paulo, both inclusive. */
export type StatementPeriod = { readonly from: string; readonly to: string };

const usualDays = 30;
const mostDays = 366;

/** The requested days, by default the last thirty. Refuses with PERIOD_INVALID. */
export function readStatementPeriod(
  asked: { readonly from?: string | undefined; readonly to?: string | undefined },
  now: Date,
): StatementPeriod {
  const to = asked.to ?? calendarDayOf(now);
  const from = asked.from ?? daysAfter(to, 1 - usualDays);
  if (from > to || daysAfter(from, mostDays - 1) < to) throw new Refusal('PERIOD_INVALID');
  return { from, to };
}

/** `from` is inclusive, `until` exclusive. */
export function statementPeriodBounds({ from, to }: StatementPeriod): { from: Date; until: Date } {
  return { from: startOfDay(from), until: startOfDay(daysAfter(to, 1)) };
}
