import type { WalletModel } from '@jangada/contract';

export type Part = { key: 'available' | 'reserved' | 'blocked'; cents: number };

/** How all the money that is the merchant's splits; empty parts are left out. */
export function splitOf({ availableCents, reservedCents, blockedCents }: WalletModel): {
  totalCents: number;
  parts: Part[];
} {
  const parts: Part[] = [
    { key: 'available', cents: availableCents },
    { key: 'reserved', cents: reservedCents },
    { key: 'blocked', cents: blockedCents },
  ];
  const shown = parts.filter(({ cents }) => cents > 0);
  return { totalCents: shown.reduce((sum, { cents }) => sum + cents, 0), parts: shown };
}
