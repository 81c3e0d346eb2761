import { addDays, bankDayFrom, type CalendarDay, countDays } from '../bank-days.ts';
import type { RecTerms, SandboxCobr } from './automatic-records.ts';

// The hours of Pix Automático in São Paulo, where the clocks have not changed since 2019. BACEN sets windows of hours;
// this bank has one fixed moment in each, so that a test knows it.

/** Between 00:00 and 08:00 of the day of a debit. */
const FIRST_DEBIT = '03:00:00';
/** Between 18:00 and 21:00, if the first debit failed. */
const SECOND_DEBIT = '18:00:00';
/** The payer's bank tells of a failure after 21:00. */
const FAILURE_TOLD = '21:05:00';
/** On the day before the debit. */
const LAST_RECEIVER_CANCELLATION = '22:00:00';

/** How many days before its debit a charge is sent to the payer's bank: calendar days, though one bank counts business days. */
const WINDOW = { firstDaysBefore: 10, lastDaysBefore: 2 };

/** How many days after the first debit, and how often, a receiver may order another attempt. */
const RETRY_DAYS = 7;
export const MOST_RETRIES = 3;

const MONTHS_BY_PERIOD = { MENSAL: 1, TRIMESTRAL: 3, SEMESTRAL: 6, ANUAL: 12 } as const;

/** Returns a moment of a day in São Paulo. */
export function momentOf(day: CalendarDay, time = '00:00:00'): number {
  return Date.parse(`${day}T${time}-03:00`);
}

/** Returns the hour of the day that it is in São Paulo. */
export function hourAt(moment: number): number {
  return new Date(moment - 3 * 3_600_000).getUTCHours();
}

/** The day on which a charge is debited first: its due date, moved to a business day if the charge says so. */
export function debitDayOf({ dueDate, adjusts }: Pick<SandboxCobr, 'dueDate' | 'adjusts'>): CalendarDay {
  return adjusts ? bankDayFrom(dueDate) : dueDate;
}

/** The moments of an attempt on a day. */
export function debitMoments(day: CalendarDay): { first: number; second: number; told: number } {
  return {
    first: momentOf(day, FIRST_DEBIT),
    second: momentOf(day, SECOND_DEBIT),
    told: momentOf(day, FAILURE_TOLD),
  };
}

/** When the bank begins to send a charge to the payer's bank, and when it is too late for that. */
export function orderWindow(cobr: Pick<SandboxCobr, 'dueDate' | 'adjusts'>): {
  opens: number;
  closes: number;
} {
  const day = debitDayOf(cobr);
  return {
    opens: momentOf(addDays(day, -WINDOW.firstDaysBefore)),
    closes: momentOf(addDays(day, 1 - WINDOW.lastDaysBefore)),
  };
}

/** From when on the receiver, and the payer, can no longer cancel a charge. */
export function cancellationEnds(cobr: SandboxCobr): { receiver: number; payer: number } {
  const day = debitDayOf(cobr);
  return { receiver: momentOf(addDays(day, -1), LAST_RECEIVER_CANCELLATION), payer: momentOf(day) };
}

/** The last day for which another attempt may be ordered: a week after the debit, but before the next cycle begins. */
export function lastRetryDay(terms: RecTerms, cobr: SandboxCobr): CalendarDay {
  const debitDay = debitDayOf(cobr);
  const beforeNext = addDays(cycleStart(terms, cycleOf(terms, cobr.dueDate) + 1), -1);
  const last = earlierOf(addDays(debitDay, RETRY_DAYS), beforeNext);
  // A due date that moved to a business day may be debited in the next cycle.
  return earlierOf(last, debitDay) === debitDay ? last : debitDay;
}

/** When a charge that was not paid ends. */
export function cobrDeadline(terms: RecTerms, cobr: SandboxCobr): number {
  return debitMoments(terms.mayRetry ? lastRetryDay(terms, cobr) : debitDayOf(cobr)).told;
}

/**
 * Returns the number of the cycle that a day falls in; 0 is the one that begins on the first day, and days before it
 * have negative numbers. BACEN's file does not say where a cycle begins: here it is the first day, and each period after.
 */
export function cycleOf(terms: Pick<RecTerms, 'firstDay' | 'period'>, day: CalendarDay): number {
  if (terms.period === 'SEMANAL') return Math.floor(countDays(terms.firstDay, day) / 7);
  const months = monthNumber(day) - monthNumber(terms.firstDay);
  const cycle = Math.floor(months / MONTHS_BY_PERIOD[terms.period]);
  return day < cycleStart(terms, cycle) ? cycle - 1 : cycle;
}

/** Returns the first day of a cycle. In a month without the day of the first one, it is the last day of that month. */
export function cycleStart(
  { firstDay, period }: Pick<RecTerms, 'firstDay' | 'period'>,
  cycle: number,
): CalendarDay {
  if (period === 'SEMANAL') return addDays(firstDay, 7 * cycle);
  const month = monthNumber(firstDay) + cycle * MONTHS_BY_PERIOD[period];
  const lastOfMonth = addDays(firstOfMonth(month + 1), -1);
  const sameDay = firstOfMonth(month).slice(0, 8) + firstDay.slice(8);
  return earlierOf(sameDay, lastOfMonth);
}

/** Days are texts, which `Math.min` cannot compare. */
function earlierOf(one: CalendarDay, other: CalendarDay): CalendarDay {
  const [earlier = one] = [one, other].sort();
  return earlier;
}

/** Counts months from the year 0. */
function monthNumber(day: CalendarDay): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
}

function firstOfMonth(month: number): CalendarDay {
  const year = String(Math.floor(month / 12)).padStart(4, '0');
  return `${year}-${String((month % 12) + 1).padStart(2, '0')}-01`;
}
