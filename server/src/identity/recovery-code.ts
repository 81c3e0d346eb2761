import { randomInt } from 'node:crypto';
import type { Secrets } from '../secrets.ts';

/** Capital letters and digits without look-alikes: 30 symbols, 4.9 bits each. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const codeLength = 12;
const codeCount = 10;

/** Creates ten codes in the form in which the owner sees them: XXXX-XXXX-XXXX. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: codeCount }, () => {
    const letters = Array.from({ length: codeLength }, () => alphabet[randomInt(alphabet.length)]).join('');
    return letters.replace(/(.{4})(?=.)/g, '$1-');
  });
}

/** Removes the spaces and hyphens of a typed code. Returns undefined if the text cannot be a recovery code. */
export function parseRecoveryCode(typed: string): string | undefined {
  const letters = typed.toUpperCase().replace(/[\s-]/g, '');
  return letters.length === codeLength && [...letters].every((letter) => alphabet.includes(letter))
    ? letters
    : undefined;
}

/**
 * Hashes a code as displayed or as typed. The hash depends on a secret key, because a code has only 58 random bits:
 * from a plain hash it could be found by trying codes.
 */
export function hashRecoveryCode(secrets: Secrets, userId: number, code: string): Buffer {
  return secrets.hash('recovery-code', `${userId}:${parseRecoveryCode(code) ?? ''}`);
}
