import { expect, test } from 'vitest';
import { longestStatementPeriod } from './figure-link.tsx';
import { splitBalance } from './split-bar.tsx';

const emptyWallet = {
  totalTransactions: 0,
  totalEarnedCents: 0,
  blockedCents: 0,
  reservedCents: 0,
  availableCents: 0,
  parts: null,
  pendingWithdrawalsCents: 0,
  lastTransactionAt: null,
  deposits: 0,
  withdrawals: 0,
  pendingDeposits: 0,
  pendingWithdrawals: 0,
  failed: 0,
  grossRevenueCents: null,
  totalRefundedCents: null,
  owedCents: 0,
};

test('the bar splits what is available, reserved and blocked', () => {
  const { totalCents, parts } = splitBalance({
    ...emptyWallet,
    availableCents: 1_248_037,
    reservedCents: 305_218,
    blockedCents: 41_800,
  });
  expect(totalCents).toBe(1_595_055);
  expect(parts.map(({ key }) => key)).toEqual(['available', 'reserved', 'blocked']);
});

test('an empty part is left out of the bar', () => {
  expect(splitBalance({ ...emptyWallet, availableCents: 10 }).parts).toEqual([
    { key: 'available', cents: 10 },
  ]);
  expect(splitBalance(emptyWallet)).toEqual({ totalCents: 0, parts: [] });
});

const now = new Date('2026-11-21T17:32:00Z');

test('the whole period of a new account begins at its creation, and that of an old one a year ago', () => {
  expect(longestStatementPeriod('2026-10-01T02:00:00Z', now)).toEqual({
    from: '2026-09-30',
    to: '2026-11-21',
  });
  expect(longestStatementPeriod('2020-01-01T12:00:00Z', now)).toEqual({
    from: '2025-11-21',
    to: '2026-11-21',
  });
  expect(longestStatementPeriod(null, now)).toEqual({ from: '2025-11-21', to: '2026-11-21' });
});
