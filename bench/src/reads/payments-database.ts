import { mkdirSync, statfsSync } from 'node:fs';

/** The credentials of the built database's merchants. */
export const password = 'leituras-em-dia';
export const bigMerchant = 'ten-million';
export const smallMerchant = 'ten-thousand';

/** The number of payments of each merchant. */
export type MerchantSizes = {
  readonly big: number;
  readonly small: number;
  readonly others: readonly number[];
};

/**
 * Returns the sizes for a big merchant with `big` payments. The small merchant has 10,010 payments, so that the last
 * page of ten payments begins at offset 10,000.
 */
export function sizesOf(big: number): MerchantSizes {
  return { big, small: 10_010, others: Array.from({ length: 300 }, (_, index) => 20 + 2 * index) };
}

export const defaultPayments = 10_000_000;

// Ten million payments take 14 GiB of rows and indexes. Sorting and the write-ahead log temporarily take more disk.
const bytesPerPayment = 1700;
const temporaryBytes = 6 * 2 ** 30;

/** @throws if the disk has too little free space for the build */
export function requireDiskSpace(folder: string, payments: number): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { bavail, bsize } = statfsSync(folder);
  const neededBytes = payments * bytesPerPayment + temporaryBytes;
  if (bavail * bsize >= neededBytes) return;
  throw new Error(
    `${payments.toLocaleString('en')} payments need ${gib(neededBytes)} of disk, and ${folder} has ${gib(bavail * bsize)}: give another place with --folder PATH.`,
  );
}

function gib(bytes: number): string {
  return `${(bytes / 2 ** 30).toFixed(1)} GiB`;
}
