import { calendarDayOf, daysAfter, startOfDay } from '../calendar-day.ts';
import { Refusal } from '../refusal.ts';

/** Calendar days of America/Sao_Paulo, both included. */
export type StatementPeriod = { readonly from: string; readonly to: string };

const usualDays = 30;
const mostDays = 366;

/** The days that are asked for; the last thirty where nothing is. Refused with PERIOD_INVALID. */
export function readStatementPeriod(
  asked: { readonly from?: string | undefined; readonly to?: string | undefined },
  now: Date,
): StatementPeriod {
  const to = asked.to ?? calendarDayOf(now);
  const from = asked.from ?? daysAfter(to, 1 - usualDays);
  if (from > to || daysAfter(from, mostDays - 1) < to) throw new Refusal('PERIOD_INVALID');
  return { from, to };
}

/** From the first moment on, until just before the second. */
export function statementPeriodBounds({ from, to }: StatementPeriod): { from: Date; until: Date } {
  return { from: startOfDay(from), until: startOfDay(daysAfter(to, 1)) };
}
