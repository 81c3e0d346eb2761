import { randomBytes } from 'node:crypto';

/** The 11 random letters and digits at the end of Pix ids. */
export function randomSuffix(): string {
  return BigInt(`0x${randomBytes(8).toString('hex')}`)
    .toString(36)
    .padStart(13, '0')
    .slice(-11);
}
