import type { WalletModel } from '@jangada/contract';
import { expect, test } from 'vitest';
import { averageCents, dayInWords, figuresOf } from './figures.ts';
import { stepsLeftInWords } from './first-steps.tsx';

const wallet: WalletModel = {
  totalTransactions: 60,
  totalEarnedCents: 100,
  blockedCents: 0,
  reservedCents: 0,
  availableCents: 100,
  parts: null,
  pendingWithdrawalsCents: 0,
  lastTransactionAt: null,
  deposits: 44,
  withdrawals: 16,
  pendingDeposits: 1,
  pendingWithdrawals: 0,
  failed: 5,
  grossRevenueCents: 385_610,
  totalRefundedCents: null,
  owedCents: 0,
};

test('expired, refunded and broken charges count as failed', () => {
  const counts = { all: 15, pending: 2, paid: 3, expired: 4, refunded: 5, error: 1 };
  expect(figuresOf(wallet, counts)).toEqual({
    grossCents: 385_610,
    deposits: 44,
    paid: 3,
    pending: 2,
    failed: 10,
    total: 15,
  });
});

test('where the provider sends no gross revenue, everything earned counts as the gross revenue', () => {
  expect(figuresOf({ ...wallet, grossRevenueCents: null }, null).grossCents).toBe(100);
});

test('the wallet’s counts are used when the feed has none', () => {
  expect(figuresOf(wallet, null)).toEqual({
    grossCents: 385_610,
    deposits: 44,
    paid: 44,
    pending: 1,
    failed: 5,
    total: 50,
  });
});

test('the average is rounded half up, and is null without payments', () => {
  expect(averageCents(385_610, 44)).toBe(8_764);
  expect(averageCents(5, 2)).toBe(3);
  expect(averageCents(0, 0)).toBeNull();
});

test('a day is described with its sum and its number of payments, with one payment in the singular', () => {
  const day = { day: '2026-11-10', receivedCents: 145_615, count: 38, balanceCents: 0 };
  expect(dayInWords(day)).toBe('ter 10/11, R$\u00a01.456,15 em 38 pagamentos');
  expect(dayInWords({ ...day, count: 1 })).toBe('ter 10/11, R$\u00a01.456,15 em 1 pagamento');
});

test('the steps that are left are counted in words', () => {
  const account = {
    createdAt: null,
    isApproved: false,
    hasKey: false,
    hasPin: false,
    mustConnectBank: false,
  };
  expect(stepsLeftInWords(account)).toBe('Faltam três passos para o primeiro Pix.');
  expect(stepsLeftInWords({ ...account, isApproved: true })).toBe('Faltam dois passos para o primeiro Pix.');
  expect(stepsLeftInWords({ ...account, isApproved: true, hasKey: true })).toBe(
    'Falta um passo para o primeiro Pix.',
  );
  expect(stepsLeftInWords({ ...account, mustConnectBank: true })).toBe(
    'Faltam quatro passos para o primeiro Pix.',
  );
});
