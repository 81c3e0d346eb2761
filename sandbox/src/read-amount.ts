import { SandboxRefusal } from './refusal.ts';

const MAX_CENTS = 999_999_999_999;

/** Converts a BRL amount with at most two decimals to cents. Throws `SandboxRefusal` INVALID_AMOUNT. */
export function readAmount(amount: number): number {
  const cents = Math.round(amount * 100);
  if (cents < 1 || cents > MAX_CENTS || cents / 100 !== amount) {
    throw new SandboxRefusal('INVALID_AMOUNT', 'O valor não é válido.');
  }
  return cents;
}
