import { expect, test } from 'vitest';
import { parsePaymentStatus, parseTaxes } from './read.ts';
import { parseDailyStats } from './read-wallet.ts';

const taxes = {
  pix: { in: 0.99, out: 1.5, fixIn: 0.1, fixOut: 1.5 },
  crypto: 0.5,
  reserve: { enabled: true, percentage: 5, liberationTime: 30 },
};
const model = {
  in: { rate: 99, fixedCents: 10 },
  out: { rate: 150, fixedCents: 150 },
  cryptoRate: 50,
  reserve: { enabled: true, rate: 500, days: 30 },
};

test('fees are read wrapped or bare, into integers', () => {
  expect(parseTaxes({ success: true, data: taxes })).toEqual(model);
  expect(parseTaxes(taxes)).toEqual(model);
});

test('a missing fee is read as zero', () => {
  expect(parseTaxes({ success: true, data: {} })).toEqual({
    in: { rate: 0, fixedCents: 0 },
    out: { rate: 0, fixedCents: 0 },
    cryptoRate: 0,
    reserve: { enabled: false, rate: 0, days: 0 },
  });
});

test('daily figures are read into integer cents', () => {
  const days = [{ day: '2026-11-21', received: 1672.1, count: 14, balance: 12480.37 }];
  expect(parseDailyStats({ days })).toEqual([
    { day: '2026-11-21', receivedCents: 167_210, count: 14, balanceCents: 1_248_037 },
  ]);
});

test('the status of a charge is read in lower case, and fields that the provider omits are null', () => {
  expect(parsePaymentStatus({ id: 'x', status: 'PAID', amount: 12.5, created_at: 'x' })).toEqual({
    status: 'paid',
    amountCents: 1_250,
    creditedCents: null,
    reservedCents: null,
    refundedCents: null,
    paidAt: null,
    receiptUrl: null,
  });
});
