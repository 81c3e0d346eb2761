import { randomInt } from 'node:crypto';
import type { Secrets } from '../secrets.ts';

/** Capital letters and digits without look-alikes: 30 symbols, 4.9 bits each. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const length = 12;
const count = 10;

/** Ten codes in the form shown: XXXX-XXXX-XXXX. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: count }, () => {
    const letters = Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
    return letters.replace(/(.{4})(?=.)/g, '$1-');
  });
}

/** Normalizes a typed code; undefined if it is not one. */
export function readRecoveryCode(typed: string): string | undefined {
  const letters = typed.toUpperCase().replace(/[\s-]/g, '');
  return letters.length === length && [...letters].every((letter) => alphabet.includes(letter))
    ? letters
    : undefined;
}

/** Keyed, because a code has 58 bits, which an unkeyed hash would not protect for long. `code`: as shown or typed. */
export function hashRecoveryCode(secrets: Secrets, userId: number, code: string): Buffer {
  return secrets.hash('recovery-code', `${userId}:${readRecoveryCode(code) ?? ''}`);
}
