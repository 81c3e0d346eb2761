// The tests compare the counts of each bench's small form with the counts in this file.
import type { Counts } from './bench-result.ts';
import { findPgbench } from './receiving/pgbench.ts';

// The control is a run of pgbench in short slices between the figures. Small forms run without it where pgbench is
// missing, and then count no slices.
const controlSlices = (count: number) => ({
  'slices of the control': findPgbench() === undefined ? 0 : count,
});

/** The expected counts of each bench's small form, by name. */
export const expectedCounts: Readonly<Record<string, Counts>> = {
  receiving: {
    ...controlSlices(7),
    rounds: 1,
    'one-per-call': 20,
    'hundred-per-call': 100,
    'one-merchant': 20,
    create: 20,
    'create-with-picture': 20,
    'with-webhooks': 20,
    'lone-payment': 3,
    crowds: 2,
    'steady notifications': 20,
  },
  webhooks: {
    ...controlSlices(2),
    deliveries: 90,
    'first calls to those that fail': 6,
    'delays while all are well': 20,
    'delays while some fail and hang': 18,
  },
  connections: {
    accounts: 3,
    'settled at one account': 20,
    'settled at all accounts': 20,
    'settled alone': 20,
    'created alone': 10,
    'settled beside one that hangs': 20,
    'created beside one that hangs': 10,
  },
  // Lower these counts when a change makes a payment write less. A change that raises one needs a good reason.
  written: {
    'charge created and opened: statements': 4,
    'charge created and opened: rows': 5,
    'charge created and opened: deleted rows': 0,
    'charge created and opened: index entries': 6,
    'created under an idempotency key: statements': 4,
    'created under an idempotency key: rows': 7,
    'created under an idempotency key: deleted rows': 0,
    'created under an idempotency key: index entries': 8,
    // One of them looks for accounts with due notices. At rest it is alone, in place of a transaction that leases nothing.
    'paid alone: statements': 11,
    'paid alone: rows': 14,
    'paid alone: deleted rows': 1,
    'paid alone: index entries': 14,
    'webhook delivered: statements': 12,
    'webhook delivered: rows': 3,
    'webhook delivered: deleted rows': 1,
    'webhook delivered: index entries': 3,
    'refunded: rows': 22,
    'refunded: deleted rows': 2,
    // Due refunds and withdrawals are found by bank, which costs each of their updates an index entry more.
    'refunded: index entries': 42,
    'withdrawn: rows': 24,
    'withdrawn: deleted rows': 1,
    'withdrawn: index entries': 79,
    'hundred paid by one notification: rows': 6,
    'hundred paid by one notification: deleted rows': 100,
    'hundred paid by one notification: index entries': 8,
  },
  'build-payments': { charges: 1160, 'received Pix': 974, refunds: 31, options: 28, entries: 1036 },
  reads: { big: 1000, small: 110, reads: 17, 'reads explained': 34 },
  'user-search': { accounts: 1000, searches: 14, 'searches explained': 14 },
  'page-weight': { pages: 5, documents: 5, complaints: 0 },
  'route-change': { first: 9, again: 9 },
  'sign-in': { rounds: 1, kinds: 3 },
};

/** Returns the expected counts of the named benches; undefined for a bench without expected counts. */
export function expectedCountsOf(names: readonly string[]): Record<string, Counts | undefined> {
  return Object.fromEntries(names.map((name) => [name, expectedCounts[name]]));
}
