/** The terms of a fee. `rate` is in hundredths of a percent (0.99 % is 99), `fixedCents` in integer cents. */
export type FeeTerms = { readonly rate: number; readonly fixedCents: number };

/**
 * Computes the fee on an amount: the share, rounded half up to whole cents, plus the fixed part. The amount is split at
 * 10,000, the unit of the rate, because the product of the whole amount and the rate could exceed 2^53.
 */
export function feeCents(amountCents: number, { rate, fixedCents }: FeeTerms): number {
  const whole = Math.floor(amountCents / 10_000);
  const rest = amountCents % 10_000;
  return whole * rate + Math.floor((rest * rate + 5_000) / 10_000) + fixedCents;
}
