import { calendarDayOf, daysAfter, startOfDay } from '../calendar-day.ts';
import { Refusal } from '../refusal.ts';

/** Calendar days in America/Sao_Paulo, both inclusive. */
export type StatementPeriod = { readonly from: string; readonly to: string };

const defaultDays = 30;
const maxDays = 366;

/** Returns the requested days, by default the last thirty. Refuses more than 366 days with PERIOD_INVALID. */
export function readStatementPeriod(
  request: { readonly from?: string | undefined; readonly to?: string | undefined },
  now: Date,
): StatementPeriod {
  const to = request.to ?? calendarDayOf(now);
  const from = request.from ?? daysAfter(to, 1 - defaultDays);
  if (from > to || daysAfter(from, maxDays - 1) < to) throw new Refusal('PERIOD_INVALID');
  return { from, to };
}

/** The start of the first day and the end of the last day: `from` is inclusive, `until` exclusive. */
export function statementPeriodBounds({ from, to }: StatementPeriod): { from: Date; until: Date } {
  return { from: startOfDay(from), until: startOfDay(daysAfter(to, 1)) };
}
