import type { AccountKind } from './chart-of-accounts.ts';

/**
 * For each event, the accounts that lose money and the accounts that gain money (`chart-of-accounts.ts` explains the
 * accounts). The list repeats `movements.ts` on purpose, so that the audit checks entries against an independent
 * source.
 */
const eventAccounts: readonly (readonly [event: string, from: AccountKind[], to: AccountKind[]])[] = [
  ['payment received', ['psp'], ['available', 'fees', 'reserved']],
  ['fee accrued', ['fees_due'], ['fees']],
  ['fees paid', ['psp'], ['fees_due']],
  ['fees paid elsewhere', ['fees'], ['fees_due']],
  ['reserve released', ['reserved'], ['available']],
  ['unmatched received', ['psp'], ['suspense']],
  ['unmatched assigned', ['suspense', 'psp'], ['psp', 'available', 'fees', 'reserved']],
  ['unmatched return requested', ['suspense'], ['in_transit']],
  ['unmatched returned', ['in_transit'], ['psp']],
  ['unmatched return refused', ['in_transit'], ['suspense']],
  ['withdrawal requested', ['available'], ['in_transit']],
  ['withdrawal completed', ['in_transit'], ['psp', 'fees']],
  ['withdrawal refused', ['in_transit'], ['available']],
  ['withdrawal returned', ['psp'], ['available']],
  ['refund requested', ['available'], ['in_transit']],
  ['refund completed', ['in_transit'], ['psp']],
  ['refund refused', ['in_transit'], ['available']],
  ['dispute opened', ['available', 'reserved'], ['blocked']],
  ['shortfall covered', ['available', 'reserved'], ['blocked']],
  ['dispute lost', ['blocked', 'receivable', 'available'], ['psp']],
  ['debt repaid', ['available'], ['receivable']],
  ['dispute released', ['blocked'], ['available', 'reserved']],
  ['balance adjusted', ['adjustments', 'available'], ['available', 'adjustments']],
  ['bank tariff', ['fees'], ['psp']],
  ['fees taken', ['fees'], ['psp']],
  ['topped up', ['psp'], ['fees']],
];

/** Every change that an event may make in an account. The audit reports any other change. */
export const knownChanges = eventAccounts.flatMap(([event, from, to]) => [
  ...from.map((kind) => ({ event, kind, sign: -1 })),
  ...to.map((kind) => ({ event, kind, sign: 1 })),
]);
