import { PixRefusal } from './pix-refusal.ts';

/** The largest amount that BACEN's API Pix can express: ten digits of reais and two of cents. */
const MAX_CENTS = 999_999_999_999;
/** An amount as the API Pix writes it, such as `12.34`. */
const STRICT_AMOUNT = /^(\d{1,10})\.(\d{2})$/;
/**
 * An amount as found in field 54 (the amount) of BR Codes in use: either side of the point may be short or empty, and
 * the point may be missing.
 */
const TOLERANT_AMOUNT = /^(\d*)(?:\.(\d{0,2}))?$/;

/** Formats integer cents for the API Pix and for BR Codes: 1234 becomes `12.34`. Throws `PixRefusal` AMOUNT_RANGE. */
export function centsToPixAmount(cents: number): string {
  if (!Number.isSafeInteger(cents) || cents < 0 || cents > MAX_CENTS) {
    throw new PixRefusal('AMOUNT_RANGE', `An amount is an integer of 0 to ${MAX_CENTS} cents`, 'amountCents');
  }
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/**
 * Parses an amount in the strict form of the API Pix (`\d{1,10}\.\d{2}`) into integer cents: `12.34` becomes 1234.
 * Throws `PixRefusal` AMOUNT_FORMAT.
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
 * Parses field 54 (the amount) of a BR Code into integer cents. Besides `10.50`, accepts the forms that other issuers
 * of codes produce: `10`, `10.`, `10.5` and `.10`. Throws `PixRefusal` AMOUNT_FORMAT for anything else.
 */
export function brCodeAmountToCents(text: string): number {
  const [matched, reais = '', cents = ''] = TOLERANT_AMOUNT.exec(text) ?? [];
  const value = Number(reais + cents.padEnd(2, '0'));
  if (matched === undefined || reais + cents === '' || value > MAX_CENTS) {
    throw new PixRefusal('AMOUNT_FORMAT', 'The amount cannot be read', '54');
  }
  return value;
}
