import { randomBytes } from 'node:crypto';

const PREFIX = 'jgd_';

/** 192 random bits. Letters and digits only, so that a double click takes all of it. */
export function newApiKey(): string {
  return PREFIX + randomBytes(24).toString('hex');
}

/** Whether a text has the shape of a key; others need no look-up. */
export function isApiKey(text: string): boolean {
  return /^jgd_[0-9a-f]{48}$/.test(text);
}

/** A key as screens show it to those who must not read it: `jgd_••••••••4f2a`. */
export function maskApiKey(key: string): string {
  return `${PREFIX}${'•'.repeat(8)}${key.slice(-4)}`;
}
