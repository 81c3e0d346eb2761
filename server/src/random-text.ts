import { randomBytes } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns cryptographically random letters and digits, each with 5.95 bits of entropy. */
export function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    // 248 is the largest multiple of 62 below 256. Bytes from 248 on are skipped: they would favour some characters.
    for (const byte of randomBytes(32)) if (byte < 248 && text.length < length) text += alphabet[byte % 62];
  }
  return text;
}
