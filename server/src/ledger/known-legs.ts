import type { AccountKind } from './chart-of-accounts.ts';

/**
 * Every event and the accounts it moves money between; the accounts are explained in `chart-of-accounts.ts`. The audit
 * reports any transfer that is not in this list. It repeats `movements.ts` on purpose, as an independent check.
 */
export const knownLegs: readonly (readonly [event: string, from: AccountKind, to: AccountKind])[] = [
  ['payment received', 'psp', 'available'],
  ['payment received', 'psp', 'fees'],
  ['payment received', 'psp', 'reserved'],
  ['reserve released', 'reserved', 'available'],
  ['unmatched received', 'psp', 'suspense'],
  ['unmatched assigned', 'suspense', 'psp'],
  ['unmatched assigned', 'psp', 'available'],
  ['unmatched assigned', 'psp', 'fees'],
  ['unmatched assigned', 'psp', 'reserved'],
  ['unmatched return requested', 'suspense', 'in_transit'],
  ['unmatched returned', 'in_transit', 'psp'],
  ['unmatched return refused', 'in_transit', 'suspense'],
  ['withdrawal requested', 'available', 'in_transit'],
  ['withdrawal completed', 'in_transit', 'psp'],
  ['withdrawal completed', 'in_transit', 'fees'],
  ['withdrawal refused', 'in_transit', 'available'],
  ['withdrawal returned', 'psp', 'available'],
  ['refund requested', 'available', 'in_transit'],
  ['refund completed', 'in_transit', 'psp'],
  ['refund refused', 'in_transit', 'available'],
  ['dispute opened', 'available', 'blocked'],
  ['dispute opened', 'reserved', 'blocked'],
  ['shortfall covered', 'available', 'blocked'],
  ['shortfall covered', 'reserved', 'blocked'],
  ['dispute lost', 'blocked', 'psp'],
  ['dispute lost', 'receivable', 'psp'],
  ['debt repaid', 'available', 'receivable'],
  ['dispute released', 'blocked', 'available'],
  ['dispute released', 'blocked', 'reserved'],
  ['balance adjusted', 'adjustments', 'available'],
  ['balance adjusted', 'available', 'adjustments'],
  ['bank tariff', 'fees', 'psp'],
  ['fees taken', 'fees', 'psp'],
  ['topped up', 'psp', 'fees'],
];
