import { addDays, businessDaysBetween, daysBetween, rollToBusinessDay } from './business-day.ts';

/** An amount in cents, or a percentage in hundredths of a percent: 2 % is 200. */
export type AmountOrPercent =
  | { readonly unit: 'amount'; readonly cents: number }
  | { readonly unit: 'percent'; readonly hundredths: number };

type DaysCounted = 'calendar' | 'business';

/** Interest for late payment. A fixed amount is for each day. */
export type LateInterest = { readonly days: DaysCounted } & (
  | { readonly unit: 'amount'; readonly cents: number }
  | { readonly unit: 'percent'; readonly hundredths: number; readonly per: 'day' | 'month' | 'year' }
);

/** A discount until fixed days, or for each day that the payment comes before the due date. */
export type EarlyDiscount =
  | { readonly kind: 'until'; readonly steps: readonly (AmountOrPercent & { readonly until: string })[] }
  | ({ readonly kind: 'each-day'; readonly days: DaysCounted } & AmountOrPercent);

/** A charge with a due date (`cobv` of BACEN's API Pix). */
export type DueTerms = {
  readonly originalCents: number;
  readonly dueDate: string;
  /** How many calendar days after the due date it can still be paid. */
  readonly validAfterDueDays: number;
  readonly fine?: AmountOrPercent | undefined;
  readonly interest?: LateInterest | undefined;
  readonly rebate?: AmountOrPercent | undefined;
  readonly discount?: EarlyDiscount | undefined;
};

/** How an amount is made up: final = original + fine + interest − rebate − discount. */
export type DueAmount = {
  readonly originalCents: number;
  readonly fineCents: number;
  readonly interestCents: number;
  readonly rebateCents: number;
  readonly discountCents: number;
  readonly finalCents: number;
};

/** The parts of an amount without their sum, which a bank may report with another one. */
export type DueAmountParts = Omit<DueAmount, 'finalCents'>;

/** Adds to the parts of an amount what they come to. */
export function withSum(parts: DueAmountParts): DueAmount {
  const { originalCents, fineCents, interestCents, rebateCents, discountCents } = parts;
  return {
    ...parts,
    finalCents: originalCents + fineCents + interestCents - rebateCents - discountCents,
  };
}

/** The due date moved to a business day, from which everything else is counted, and the last day on which it can be paid. */
export function dueDaysOf({ dueDate, validAfterDueDays }: DueTerms): {
  readonly dueDay: string;
  readonly lastDay: string;
} {
  const dueDay = rollToBusinessDay(dueDate);
  return { dueDay, lastDay: rollToBusinessDay(addDays(dueDay, validAfterDueDays)) };
}

/**
 * The first and the last due date that fall due on a day. Earlier ones are late on it, and later ones still to come. On a
 * day that is no business day, what fell due on the business day before is not late yet.
 */
export function dueDatesOf(payDay: string): { readonly from: string; readonly to: string } {
  let from = payDay;
  while (businessDaysBetween(rollToBusinessDay(addDays(from, -1)), payDay) === 0) from = addDays(from, -1);
  let to = from;
  while (rollToBusinessDay(addDays(to, 1)) <= payDay) to = addDays(to, 1);
  return { from, to };
}

/**
 * Predicts what a payer is asked for on a day; undefined once the charge can no longer be paid. The payer's bank asks the
 * receiver's bank for the amount, and only that one decides: it knows the holidays of the payer's town, and rounds as it
 * likes.
 *
 * BACEN's file names the terms without formulas. These follow its manual of initiation as BACEN's engineers quoted it in
 * public (bacen/pix-api 167, 205, 297, 607): interest is linear, on the original amount less the rebate, and begins, like
 * the fine, on the next business day. Not settled there, and so our choice: a year has 365 calendar days, a percentage of
 * fine and discount has the same base as interest, half cents are rounded up, and a discount until a day that is no
 * business day lasts until the next one.
 */
export function predictDueAmount(terms: DueTerms, payDay: string): DueAmount | undefined {
  const { dueDay, lastDay } = dueDaysOf(terms);
  if (payDay > lastDay) return undefined;
  const { originalCents, rebate, fine, interest, discount } = terms;
  const rebateCents = rebate === undefined ? 0 : partOf(originalCents, rebate);
  const baseCents = originalCents - rebateCents;
  const isLate = businessDaysBetween(dueDay, payDay) > 0;
  const fineCents = isLate && fine !== undefined ? partOf(baseCents, fine) : 0;
  const interestCents =
    isLate && interest !== undefined ? interestOf(baseCents, interest, dueDay, payDay) : 0;
  const discountCents =
    discount === undefined ? 0 : Math.min(baseCents, discountOf(baseCents, discount, dueDay, payDay));
  return withSum({ originalCents, fineCents, interestCents, rebateCents, discountCents });
}

/** The days by which a rate by day, month or year is divided. */
const DAYS_IN: Record<DaysCounted, Record<'day' | 'month' | 'year', number>> = {
  calendar: { day: 1, month: 30, year: 365 },
  business: { day: 1, month: 21, year: 252 },
};

function interestOf(baseCents: number, interest: LateInterest, dueDay: string, payDay: string): number {
  const days = countDays(interest.days, dueDay, payDay);
  if (interest.unit === 'amount') return interest.cents * days;
  return share(baseCents, interest.hundredths, days, DAYS_IN[interest.days][interest.per]);
}

function discountOf(baseCents: number, discount: EarlyDiscount, dueDay: string, payDay: string): number {
  if (discount.kind === 'until') {
    const inOrder = discount.steps.toSorted((one, other) => (one.until < other.until ? -1 : 1));
    const step = inOrder.find(({ until }) => payDay <= rollToBusinessDay(until));
    return step === undefined ? 0 : partOf(baseCents, step);
  }
  // Who pays on a weekend is as early as on the business day after it.
  const days =
    discount.days === 'business'
      ? businessDaysBetween(addDays(payDay, -1), addDays(dueDay, -1))
      : countDays('calendar', payDay, dueDay);
  return discount.unit === 'amount' ? discount.cents * days : share(baseCents, discount.hundredths, days, 1);
}

function countDays(counted: DaysCounted, from: string, to: string): number {
  return counted === 'business' ? businessDaysBetween(from, to) : Math.max(0, daysBetween(from, to));
}

function partOf(cents: number, part: AmountOrPercent): number {
  return part.unit === 'amount' ? part.cents : share(cents, part.hundredths, 1, 1);
}

/** `cents` × `hundredths` of a percent × `days` ÷ `daysInPeriod`, exactly, with half cents rounded up. */
function share(cents: number, hundredths: number, days: number, daysInPeriod: number): number {
  const divisor = 10_000n * BigInt(daysInPeriod);
  const product = BigInt(cents) * BigInt(hundredths) * BigInt(days);
  return Number((2n * product + divisor) / (2n * divisor));
}
