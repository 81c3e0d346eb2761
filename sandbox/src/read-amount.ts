import { SandboxRefusal } from './refusal.ts';

const MAX_CENTS = 999_999_999_999;

/** Cents of a BRL number with at most two decimals. Throws `Refusal` INVALID_AMOUNT. */
export function readAmount(amount: number): number {
  const cents = Math.round(amount * 100);
  if (cents < 1 || cents > MAX_CENTS || cents / 100 !== amount) {
    throw new SandboxRefusal('INVALID_AMOUNT', 'O valor não é válido.');
  }
  return cents;
}
