import { brlFromCents, centsFromBrl, MIN_CHARGE_CENTS } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import type { Merchant } from '../identity/index.ts';
import { Refusal } from '../refusal.ts';
import { computeFeeAndReserve, formatBrl } from './payment.ts';

/**
 * Converts a requested amount in BRL to cents. Refuses an amount outside the limits, or not above the merchant's fee.
 */
export function parseChargeAmount(
  { config: { limits } }: Pick<Deps, 'config'>,
  merchant: Merchant,
  amount: number,
): number {
  const cents = amountWithinLimits(amount, limits.chargeMaxCents);
  if (computeFeeAndReserve(cents, merchant).feeCents >= cents) throw new Refusal('AMOUNT_BELOW_FEE');
  return cents;
}

function amountWithinLimits(amount: number, maxCents: number): number {
  const cents = centsFromBrl(amount);
  const details = { min: brlFromCents(MIN_CHARGE_CENTS), max: brlFromCents(maxCents) };
  if (cents === undefined || cents <= 0) {
    const rule = 'Um número em reais com no máximo duas casas decimais, como 25.90.';
    throw new Refusal('AMOUNT_INVALID', {
      details: { ...details, fields: [{ field: 'amount', message: rule }] },
    });
  }
  if (cents < MIN_CHARGE_CENTS) throw new Refusal('AMOUNT_TOO_SMALL', { details });
  if (cents > maxCents) {
    const message = `O valor máximo por cobrança é ${formatBrl(maxCents)}.`;
    throw new Refusal('AMOUNT_TOO_LARGE', { message, details });
  }
  return cents;
}
