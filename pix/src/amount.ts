import { PixRefusal } from './pix-refusal.ts';

/** The largest amount that the API Pix can express: ten digits of reais. */
const MAX_CENTS = 999_999_999_999;
/** The form of the API Pix. */
const STRICT_AMOUNT = /^(\d{1,10})\.(\d{2})$/;
/** The forms that readers of field 54 accept: either side of the point may be short or empty, and the point missing. */
const TOLERANT_AMOUNT = /^(\d*)(?:\.(\d{0,2}))?$/;

/**
 * Formats integer cents as the API Pix and field 54 write them: 1234 is `12.34`. Throws `PixRefusal` AMOUNT_RANGE.
 */
export function centsToPixAmount(cents: number): string {
  if (!Number.isSafeInteger(cents) || cents < 0 || cents > MAX_CENTS) {
    throw new PixRefusal('AMOUNT_RANGE', `An amount is an integer of 0 to ${MAX_CENTS} cents`, 'amountCents');
  }
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/**
 * Parses an amount in the strict form of the API Pix (`\d{1,10}\.\d{2}`) into integer cents: `12.34` is 1234. Throws
 * `PixRefusal` AMOUNT_FORMAT.
 */
export function pixAmountToCents(text: string): number {
  const match = STRICT_AMOUNT.exec(text);
  if (match === null) throw new PixRefusal('AMOUNT_FORMAT', 'An amount is written 12.34');
  return Number(`${match[1]}${match[2]}`);
}

/** Whether a text is an amount in the strict form of the API Pix. */
export function isPixAmount(text: string): boolean {
  return STRICT_AMOUNT.test(text);
}

/**
 * Parses field 54 into integer cents, accepting also the forms that other writers produce: `10`, `10.`, `10.5` and
 * `.10` besides `10.50`. Throws `PixRefusal` AMOUNT_FORMAT for any ambiguous value.
 */
export function brCodeAmountToCents(text: string): number {
  const [matched, reais = '', cents = ''] = TOLERANT_AMOUNT.exec(text) ?? [];
  const value = Number(reais + cents.padEnd(2, '0'));
  if (matched === undefined || reais + cents === '' || value > MAX_CENTS) {
    throw new PixRefusal('AMOUNT_FORMAT', 'The amount cannot be read', '54');
  }
  return value;
}
