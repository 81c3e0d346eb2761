import { randomInt } from 'node:crypto';
import type { Secrets } from '../secrets.ts';

/** Capital letters and digits that nobody takes for one another: 30 of them, 4.9 bits each. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const length = 12;
const count = 10;

/** Ten codes as they are shown: XXXX-XXXX-XXXX. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: count }, () => {
    const letters = Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
    return letters.replace(/(.{4})(?=.)/g, '$1-');
  });
}

/** A code however it was typed; undefined for what is none. */
export function readRecoveryCode(typed: string): string | undefined {
  const letters = typed.toUpperCase().replace(/[\s-]/g, '');
  return letters.length === length && [...letters].every((letter) => alphabet.includes(letter))
    ? letters
    : undefined;
}

/** Keyed: a code has 58 bits, which a bare hash would not protect for long. `code`: as it was shown or typed. */
export function hashRecoveryCode(secrets: Secrets, userId: number, code: string): Buffer {
  return secrets.hash('recovery-code', `${userId}:${readRecoveryCode(code) ?? ''}`);
}
