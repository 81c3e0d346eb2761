import { errors, type FeeTerms, feeCents, MIN_CHARGE_CENTS } from '@jangada/contract';
import { formatMoney } from '../../format/money.ts';

/** The limits against which the amount of a charge is checked. */
export type ChargeRules = {
  /** The largest charge that the gateway accepts; null while unknown. The server makes the final check. */
  maxCents: number | null;
  /** Null while unknown. */
  fee: FeeTerms | null;
};

/** The message for an amount that cannot be charged; undefined for an amount that can. */
export function chargeAmountProblem(
  cents: number | null,
  { maxCents, fee }: ChargeRules,
): string | undefined {
  if (cents === null || cents <= 0) return errors.AMOUNT_INVALID.message;
  if (cents < MIN_CHARGE_CENTS) return errors.AMOUNT_TOO_SMALL.message;
  if (maxCents !== null && cents > maxCents) return `O valor máximo por cobrança é ${formatMoney(maxCents)}.`;
  // The gateway's fee must leave something for the merchant.
  if (fee !== null && feeCents(cents, fee) >= cents) return errors.AMOUNT_BELOW_FEE.message;
  return undefined;
}
