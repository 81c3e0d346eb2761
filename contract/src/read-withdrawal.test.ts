import { expect, test } from 'vitest';
import {
  parseOutFees,
  parseRequestedWithdrawal,
  parseWithdrawal,
  parseWithdrawals,
} from './read-withdrawal.ts';
import { parseWithdrawalPin } from './withdrawal-pin.ts';

const ownFormat = {
  id: 'w1',
  status: 'processing',
  amount_cents: 250_000,
  fee_cents: 150,
  pix_key: 'maria@example.com',
  pix_key_type: 'email',
  created_at: '2026-11-21T17:00:00Z',
  updated_at: '2026-11-21T17:01:00Z',
  completed_at: null,
  error: null,
};

test('a list of withdrawals is read in the format of our own gateway', () => {
  expect(parseWithdrawals({ withdrawals: [ownFormat], total: 31, page: 1, limit: 10 })).toEqual({
    withdrawals: [
      {
        id: 'w1',
        status: 'processing',
        amountCents: 250_000,
        feeCents: 150,
        accountName: null,
        isFeeBilled: false,
        returnedCents: 0,
        pixKey: 'maria@example.com',
        keyType: 'email',
        createdAt: '2026-11-21T17:00:00Z',
        updatedAt: '2026-11-21T17:01:00Z',
        completedAt: null,
        error: null,
        endToEndId: null,
        awaitsApproval: false,
        madeBy: null,
        inDoubt: false,
      },
    ],
    total: 31,
    limit: 10,
  });
});

test('a list with the other field names of the specification is read too, and defaults fill what it omits', () => {
  const otherFormat = {
    id: 7,
    status: 'PAID',
    amount_cents: 10_000,
    pixKey: '12345678909',
    createdAt: '2026-11-21T17:00:00Z',
    updatedAt: '2026-11-21T17:01:00Z',
    completedAt: '2026-11-21T17:02:00Z',
    error: '',
  };
  const { withdrawals, total, limit } = parseWithdrawals({ withdrawals: [otherFormat] });
  expect(withdrawals[0]).toMatchObject({
    id: '7',
    status: 'paid',
    amountCents: 10_000,
    feeCents: null,
    pixKey: '12345678909',
    keyType: 'cpf',
    completedAt: '2026-11-21T17:02:00Z',
    error: null,
  });
  expect({ total, limit }).toEqual({ total: 1, limit: 10 });
});

test('a withdrawal by itself has its amount in BRL', () => {
  const { amount_cents: _, ...bare } = ownFormat;
  expect(parseWithdrawal({ ...bare, amount: 19.99, error: 'Chave não encontrada' })).toMatchObject({
    amountCents: 1_999,
    error: 'Chave não encontrada',
  });
});

test.each([
  ['12345678901234', undefined, 'cnpj'],
  ['muito.longo.mesmo@exemplo.com.br', undefined, 'email'],
  ['+5581999998888', undefined, 'phone'],
  ['123e4567-e12b-12d1-a456-426655440000', undefined, 'random'],
  ['chave-de-mais-de-vinte-letras', undefined, 'random'],
  ['?', undefined, null],
  ['11999998888', 'phone', 'phone'],
  ['11999998888', 'PHONE', 'phone'],
  ['11999998888', 'bank-account', 'cpf'],
])('the type of the key %s, called %s, is %s', (pix_key, pix_key_type, keyType) => {
  expect(parseWithdrawal({ ...ownFormat, pix_key, pix_key_type }).keyType).toBe(keyType);
});

test('anything that is not a withdrawal is refused', () => {
  expect(() => parseWithdrawals({})).toThrow();
  expect(() => parseWithdrawal({})).toThrow();
});

test('an accepted request is read with the fields that the provider returns, and never fails', () => {
  expect(parseRequestedWithdrawal({ success: true, message: 'Feito', withdrawal: ownFormat })).toMatchObject({
    message: 'Feito',
    withdrawal: { id: 'w1' },
  });
  const nothingReported = { message: null, withdrawal: null };
  expect(parseRequestedWithdrawal({ success: true })).toEqual(nothingReported);
  expect(parseRequestedWithdrawal(null)).toEqual(nothingReported);
});

test('whether there is a PIN is read with and without the times until which withdrawals are refused', () => {
  expect(parseWithdrawalPin({ has_pin: true })).toEqual({ hasPin: true, lockedUntil: null, heldUntil: null });
  const until = '2026-11-21T17:15:00Z';
  expect(parseWithdrawalPin({ has_pin: true, locked_until: until, held_until: null })).toEqual({
    hasPin: true,
    lockedUntil: until,
    heldUntil: null,
  });
  expect(() => parseWithdrawalPin({ hasPin: true })).toThrow();
});

test('withdrawal fees and limits are read as an object, and as the single number of the specification', () => {
  expect(
    parseOutFees({
      outFee: 1.5,
      outPercent: 0.99,
      minAmount: 5,
      maxAmount: 15_000,
      paused: true,
      caps: [{ limit: 1000, left: 700.5, message: 'Restam R$ 700,50.' }],
      capsUntil: '2026-11-24T09:00:00.000Z',
    }),
  ).toEqual({
    fee: { rate: 99, fixedCents: 150 },
    minCents: 500,
    maxCents: 1_500_000,
    paused: true,
    caps: [{ limitCents: 100_000, leftCents: 70_050, message: 'Restam R$ 700,50.' }],
    capsUntil: '2026-11-24T09:00:00.000Z',
  });
  expect(parseOutFees({ outFee: 0.8 })).toEqual({
    fee: { rate: 0, fixedCents: 80 },
    minCents: 500,
    maxCents: null,
    paused: false,
    caps: [],
    capsUntil: null,
  });
});
