import type { StatementAccount, StatementKind } from '@jangada/contract';
import { dayOf, shiftDay } from '../../format/date.ts';

/** Which lines of the statement a figure is made of. */
export type StatementSearch = {
  account?: Exclude<StatementAccount, 'available'>;
  kind?: StatementKind;
  from?: string;
  to?: string;
};

/** The longest period of the statement, in days. */
const YEAR_DAYS = 366;

/** All the days of an account that one statement holds: since it began, a year at most. */
export function wholePeriod(
  createdAt: string | null,
  now: Date,
): Required<Pick<StatementSearch, 'from' | 'to'>> {
  const to = dayOf(now);
  const yearAgo = shiftDay(to, 1 - YEAR_DAYS);
  const began = createdAt === null ? '' : dayOf(new Date(createdAt));
  const isYoung = began > yearAgo;
  return { from: isYoung ? began : yearAgo, to };
}
