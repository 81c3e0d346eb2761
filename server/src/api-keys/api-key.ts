import { randomBytes } from 'node:crypto';

const PREFIX = 'jgd_';

/** 192 random bits. Letters and digits only, so that a double click selects the whole key. */
export function newApiKey(): string {
  return PREFIX + randomBytes(24).toString('hex');
}

/** True if a text has the form of a key; other texts need no look-up. */
export function isApiKey(text: string): boolean {
  return /^jgd_[0-9a-f]{48}$/.test(text);
}

/** A key as shown to those who must not read it: `jgd_••••••••4f2a`. */
export function maskApiKey(key: string): string {
  return `${PREFIX}${'•'.repeat(8)}${key.slice(-4)}`;
}
