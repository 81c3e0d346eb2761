import { randomBytes } from 'node:crypto';

const PREFIX = 'jgd_';

/**
 * Generates an API key of 192 random bits. The key has only letters, digits and an underscore, so that a double click
 * selects all of it.
 */
export function newApiKey(): string {
  return PREFIX + randomBytes(24).toString('hex');
}

/** Returns whether a text has the form of an API key; other texts need no look-up. */
export function isApiKey(text: string): boolean {
  return /^jgd_[0-9a-f]{48}$/.test(text);
}

/** Returns a key as shown to those who must not read it: `jgd_••••••••4f2a`. */
export function maskApiKey(key: string): string {
  return `${PREFIX}${'•'.repeat(8)}${key.slice(-4)}`;
}
