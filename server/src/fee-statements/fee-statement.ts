import { FEE_STATEMENT_RULES, type FeeStatementState } from '@jangada/contract';
import { daysAfter } from '../calendar-day.ts';

/** A monthly statement of the fees that a merchant owes, as stored. Amounts in integer cents. */
export type StoredFeeStatement = {
  readonly merchantId: number;
  readonly id: string;
  /** Written YYYY-MM. */
  readonly month: string;
  readonly number: string;
  readonly amountCents: number;
  readonly feeCount: number;
  readonly closedAt: Date;
  /** A calendar day. */
  readonly dueOn: string;
  readonly state: FeeStatementState;
  readonly paidAt: Date | null;
  readonly endToEndId: string | null;
  readonly paidReference: string | null;
};

/** The fees that fell due on a calendar day. */
export type FeesOfDay = { readonly day: string; readonly feeCount: number; readonly amountCents: number };

export function monthOf(day: string): string {
  return day.slice(0, 7);
}

export function firstDayOf(month: string): string {
  return `${month}-01`;
}

/** The month that follows. */
export function monthAfter(month: string): string {
  return monthOf(daysAfter(firstDayOf(month), 31));
}

/** The month before. */
export function monthBefore(month: string): string {
  return monthOf(daysAfter(firstDayOf(month), -1));
}

const monthFormat = new Intl.DateTimeFormat('pt-BR', { timeZone: 'UTC', month: 'long', year: 'numeric' });

/** Writes a month for a sentence: `novembro de 2026`. */
export function formatMonth(month: string): string {
  return monthFormat.format(new Date(`${firstDayOf(month)}T12:00:00Z`));
}

/** Writes a calendar day for a sentence: `10/12/2026`. */
export function formatDay(day: string): string {
  return day.split('-').toReversed().join('/');
}

/** The number of a statement, for people. It is unique, because a merchant has one statement of a month. */
export function numberOf(merchantId: number, month: string): string {
  return `${month.replace('-', '')}-${merchantId}`;
}

/** The last day on which a statement that is closed on this day is paid in time. */
export function dueDayOf(closingDay: string): string {
  const { dueDay, minDaysToPay } = FEE_STATEMENT_RULES;
  const regular = `${monthOf(closingDay)}-${String(dueDay).padStart(2, '0')}`;
  const earliest = daysAfter(closingDay, minDaysToPay);
  return regular > earliest ? regular : earliest;
}

/** The first day on which new charges are refused, if the statement is still open. */
export function stopDayOf(dueOn: string, overdueDays: number): string {
  return daysAfter(dueOn, overdueDays);
}

/** The days after the due date on which the merchant is warned of the stop: not before the first one. */
export function warningDaysOf(overdueDays: number): number {
  return Math.max(1, overdueDays - FEE_STATEMENT_RULES.warningDays);
}

/**
 * Puts the days whose fees no statement has yet into the months that close them. A fee that was booked late, after the
 * statement of its month was closed, belongs to the month after the last one that was closed.
 */
export function groupByClosingMonth(
  days: readonly FeesOfDay[],
  lastClosedMonth: string | undefined,
): Map<string, FeesOfDay[]> {
  return Map.groupBy(days, ({ day }) =>
    lastClosedMonth !== undefined && monthOf(day) <= lastClosedMonth
      ? monthAfter(lastClosedMonth)
      : monthOf(day),
  );
}

export function sumCents(days: readonly FeesOfDay[]): number {
  return days.reduce((sum, { amountCents }) => sum + amountCents, 0);
}

export function sumFees(days: readonly FeesOfDay[]): number {
  return days.reduce((sum, { feeCount }) => sum + feeCount, 0);
}
