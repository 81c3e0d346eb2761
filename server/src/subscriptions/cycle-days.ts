import type { SubscriptionPeriod } from '@jangada/contract';
import { addDays, businessDaysBetween, rollToBusinessDay } from '@jangada/pix';

const monthsOf: Readonly<Record<Exclude<SubscriptionPeriod, 'weekly'>, number>> = {
  monthly: 1,
  quarterly: 3,
  semiannual: 6,
  annual: 12,
};

/**
 * The day on which a cycle falls due; the first cycle has the number 1. Each is counted from the first day, so that a
 * subscription of the 31st goes back to the 31st after a short month.
 */
export function dueDayOf(
  { firstDay, period }: { readonly firstDay: string; readonly period: SubscriptionPeriod },
  number: number,
): string {
  if (period === 'weekly') return addDays(firstDay, 7 * (number - 1));
  const [year = 0, month = 1, dayOfMonth = 1] = firstDay.split('-').map(Number);
  const monthIndex = month - 1 + monthsOf[period] * (number - 1);
  const lastOfMonth = new Date(Date.UTC(year, monthIndex + 1, 0));
  const first = `${lastOfMonth.toISOString().slice(0, 8)}01`;
  return addDays(first, Math.min(dayOfMonth, lastOfMonth.getUTCDate()) - 1);
}

/** The day on which the payer's bank debits. A holiday of the payer's town can still move it, as the bank then says. */
export function debitDayOf(dueDay: string): string {
  return rollToBusinessDay(dueDay);
}

const sendDaysBefore = 6;
const minDaysBefore = 2;

/**
 * The day on which a cycle is sent to the bank. The window is read as 10 to 2 days before the due day by some banks, and
 * as many business days, or days before the debit, by others: this day is in all of them.
 */
export function sendDayOf(dueDay: string): string {
  return addDays(dueDay, -sendDaysBefore);
}

/** The last day on which every bank takes a cycle that was not sent in time, however it reads the window. */
export function lastSendDayOf(dueDay: string): string {
  let day = addDays(dueDay, -minDaysBefore);
  while (businessDaysBetween(day, dueDay) < minDaysBefore) day = addDays(day, -1);
  return day;
}
