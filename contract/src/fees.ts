/** The terms of a fee. `rate` is in hundredths of a percent (0.99 % is 99), `fixedCents` in integer cents. */
export type FeeTerms = { readonly rate: number; readonly fixedCents: number };

/**
 * Computes the fee on an amount: the percentage, rounded half up to whole cents, plus the fixed part. The product of
 * amount and rate could exceed 2^53, so the amount is split into multiples of 10,000 cents, on each of which the
 * percentage is exactly `rate` cents, and a remainder, whose product with the rate is small.
 */
export function feeCents(amountCents: number, { rate, fixedCents }: FeeTerms): number {
  const multiples = Math.floor(amountCents / 10_000);
  const remainderCents = amountCents % 10_000;
  const remainderFeeCents = Math.floor((remainderCents * rate + 5_000) / 10_000);
  return multiples * rate + remainderFeeCents + fixedCents;
}
