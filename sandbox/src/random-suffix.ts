import { randomBytes } from 'node:crypto';

/** The 11 letters and digits that end the ids of the Pix arrangement. */
export function randomSuffix(): string {
  return BigInt(`0x${randomBytes(8).toString('hex')}`)
    .toString(36)
    .padStart(13, '0')
    .slice(-11);
}
