import { addDays, bankDayFrom, type CalendarDay, countBankDays, countDays } from './bank-days.ts';
import type { CobvTerms } from './records.ts';

/** What is to be paid on one day, in cents: the final amount is the original, plus and minus the other parts. */
export interface CobvAmount {
  readonly originalCents: number;
  readonly fineCents: number;
  readonly interestCents: number;
  readonly rebateCents: number;
  readonly discountCents: number;
  readonly finalCents: number;
}

/** A value in hundredths, of a real or of a percent. */
type Hundredths = number;

/** By how many days a percentage is divided: it is given for a day, a month or a year of calendar or business days. */
const INTEREST_PERIODS: Readonly<Record<number, number>> = { 2: 1, 3: 30, 4: 365, 6: 1, 7: 21, 8: 252 };

/** Returns the last day on which a charge can be paid. A day that is no business day moves to the next one. */
export function lastPayableDay({ dueDate, validityDays }: CobvTerms): CalendarDay {
  return bankDayFrom(addDays(bankDayFrom(dueDate), validityDays));
}

/**
 * Returns what a charge with a due date costs on a day, by BACEN's API Pix 2.9.0 and its manual: from a due date that is
 * no business day all is counted from the next one. Each part is rounded to a cent, half a cent up.
 */
export function amountOn(terms: CobvTerms, day: CalendarDay): CobvAmount {
  const due = bankDayFrom(terms.dueDate);
  const originalCents = terms.amountCents;
  const rebateCents = shareOf(originalCents, terms.rebate);
  const baseCents = originalCents - rebateCents;
  const isLate = day >= bankDayFrom(addDays(due, 1));
  const fineCents = isLate ? shareOf(baseCents, terms.fine) : 0;
  const interestCents = isLate ? interestFor(baseCents, terms.interest, due, day) : 0;
  const discountCents = Math.min(discountFor(baseCents, terms, due, day), baseCents);
  const finalCents = baseCents + fineCents + interestCents - discountCents;
  return { originalCents, fineCents, interestCents, rebateCents, discountCents, finalCents };
}

/** Returns a fixed value (modality 1), or a percentage of an amount (modality 2). */
function shareOf(cents: number, rate: CobvTerms['fine']): number {
  if (rate === undefined) return 0;
  return rate.modality === 1 ? rate.value : percentOf(cents, rate.value, 1, 1);
}

/** Interest is simple: the same for every day after the due date, up to the day of payment. */
function interestFor(cents: number, rate: CobvTerms['interest'], due: CalendarDay, day: CalendarDay): number {
  if (rate === undefined) return 0;
  const countsAllDays = rate.modality <= 4;
  const days = countsAllDays ? countDays(due, day) : countBankDays(addDays(due, 1), addDays(day, 1));
  const period = INTEREST_PERIODS[rate.modality];
  return period === undefined ? rate.value * days : percentOf(cents, rate.value, days, period);
}

function discountFor(cents: number, { discount }: CobvTerms, due: CalendarDay, day: CalendarDay): number {
  if (discount === undefined || day > due) return 0;
  const { modality, steps = [], value = 0 } = discount;
  if (modality <= 2) return shareOf(cents, { modality, value: valueOfStep(steps, day) });
  const isOfAllDays = modality === 3 || modality === 5;
  const days = isOfAllDays ? countDays(day, due) : countBankDays(day, due);
  return modality <= 4 ? value * days : percentOf(cents, value, days, 1);
}

/**
 * Returns the value of the step that ends first of those that have not ended. A step until a day that is no business day
 * lasts until the next one, over a later step that ends within that time.
 */
function valueOfStep(
  steps: readonly { until: CalendarDay; value: Hundredths }[],
  day: CalendarDay,
): Hundredths {
  const inOrder = steps.toSorted((a, b) => a.until.localeCompare(b.until));
  return inOrder.find(({ until }) => bankDayFrom(until) >= day)?.value ?? 0;
}

/** Returns a percentage for each of so many days, where the percentage is given for a period of days. */
function percentOf(cents: number, percent: Hundredths, days: number, period: number): number {
  const divisor = 10_000n * BigInt(period);
  const exactly = BigInt(cents) * BigInt(percent) * BigInt(days);
  const rounded = (2n * exactly + divisor) / (2n * divisor);
  return Number(rounded);
}
