/** Terms of a fee: `rate` in hundredths of a percent (0.99 % = 99), `fixedCents` in integer cents. */
export type FeeTerms = { readonly rate: number; readonly fixedCents: number };

/**
 * The fee on an amount in integer cents: round half up(amount × rate) + fixed.
 * The amount is split at 10,000 so that no product leaves the exact integers, up to MAX_CENTS.
 */
export function feeCents(amountCents: number, { rate, fixedCents }: FeeTerms): number {
  const whole = Math.floor(amountCents / 10_000);
  const rest = amountCents % 10_000;
  return whole * rate + Math.floor((rest * rate + 5_000) / 10_000) + fixedCents;
}
