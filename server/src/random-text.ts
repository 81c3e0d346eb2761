import { randomBytes } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Letters and digits that nobody can guess, each of them worth 5.95 bits. */
export function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    // 248 is the largest multiple of 62 in a byte: values above it would favour some characters.
    for (const byte of randomBytes(32)) if (byte < 248 && text.length < length) text += alphabet[byte % 62];
  }
  return text;
}
