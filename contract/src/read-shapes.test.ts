import { expect, test } from 'vitest';
import { CHARGE_EXPIRY, DEFAULT_OUT_FEE_CENTS, PAGE_SIZE, SOCKET_RECONNECT } from './limits.ts';
import { brl as brlOfBody, brlSum, centsFromResponse } from './money.ts';
import { parseCreatedPayment, parsePaymentStatus, parseTransactionFeed, parseUser } from './read.ts';
import { parseAdminUser, parseAdminUsers, parsePendingKyc } from './read-admin.ts';
import { parseApiKeyStatus, parseGeneratedKey } from './read-api-key.ts';
import { balancePartsOf, parseWalletStats } from './read-wallet.ts';
import { parseOutFees, parseWithdrawal, parseWithdrawals } from './read-withdrawal.ts';

// The dashboard works with any provider of this API. These tests read responses in every format of the specification.

const moment = '2026-11-21T17:00:00Z';

test('wallet figures are read alike from the flat and the nested shape', () => {
  const flat = {
    total_transactions: 60,
    total_earned: 38_561.1,
    total_withdrawn: 250.5,
    pending_withdrawals: 100,
    reserved_amount: 321.07,
    available_balance: 12_480.37,
    last_transaction_date: moment,
    deposits_count: 44,
    withdrawals_count: 16,
    pending_deposits_count: 3,
    pending_withdrawals_count: 1,
    failed_transactions_count: 5,
  };
  const stats = {
    totalTransactions: 60,
    totalEarned: 38_561.1,
    totalWithdrawn: 250.5,
    pendingWithdrawals: 100,
    reservedAmount: 321.07,
    availableBalance: 12_480.37,
    lastTransactionDate: moment,
  };
  const summary = {
    deposits: 44,
    withdrawals: 16,
    pendingDeposits: 3,
    pendingWithdrawals: 1,
    failedTransactions: 5,
  };
  expect(parseWalletStats({ data: { stats, summary } })).toEqual(parseWalletStats(flat));
  expect(parseWalletStats(flat)).toMatchObject({ totalEarnedCents: 3_856_110, blockedCents: 25_050 });
});

test('sums from R$ 10 billion on are read to the cent, here and in the gateway’s own schemas', () => {
  const user = { id: '1', username: 'ana' };
  for (const [brl, cents] of [
    [999_999_999.99, 99_999_999_999],
    [9_999_999_999.99, 999_999_999_999],
    [123_456_789_012.34, 12_345_678_901_234],
    [10_000_000_000_000, 1_000_000_000_000_000],
  ] as const) {
    expect(parseUser({ ...user, balance: brl }).balanceCents).toBe(cents);
    expect(brlSum.safeParse(brl).success).toBe(true);
    expect(centsFromResponse(brl)).toBe(cents);
  }
  expect(brlOfBody.safeParse(10_000_000_000).success).toBe(false);
  expect(brlSum.safeParse(0.001).success).toBe(false);
});

test('a balance written as text is read, and an unreadable one does not prevent signing in', () => {
  const user = { id: '1', username: 'ana' };
  expect(parseUser({ ...user, balance: '1234.56' }).balanceCents).toBe(123_456);
  expect(parseUser({ ...user, balance: '-0.5' }).balanceCents).toBe(-50);
  expect(parseUser({ ...user, balance: 'R$ muito' }).balanceCents).toBe(0);
  expect(parseUser({ ...user, balance: { cents: 5 } }).balanceCents).toBe(0);
});

test('other numbers written as text are read too, as many drivers return PostgreSQL decimals', () => {
  const stats = { total_transactions: '60', total_earned: '38561.10', available_balance: '12480.37' };
  expect(parseWalletStats(stats)).toMatchObject({
    totalTransactions: 60,
    totalEarnedCents: 3_856_110,
    availableCents: 1_248_037,
  });
  const charge = { id: 7, status: 'PAID', amount: '412.90', credited_amount: '408.81' };
  expect(parseTransactionFeed({ transactions: [charge], total: '1' })).toMatchObject({
    total: 1,
    transactions: [{ amountCents: 41_290, creditedCents: 40_881 }],
  });
  expect(parsePaymentStatus(charge)).toMatchObject({ amountCents: 41_290, creditedCents: 40_881 });
  expect(parseWithdrawal({ id: 1, status: 'done', amount: '10.00' }).amountCents).toBe(1000);
  expect(parseOutFees({ outFee: '2.50' }).fee.fixedCents).toBe(250);
  const taxes = { pix: { in: '0.99', out: 0, fixIn: '0.10', fixOut: 0 } };
  expect(parseAdminUser({ id: 1, username: 'ana', taxes }).taxes.pix).toMatchObject({ in: 0.99, fixIn: 0.1 });
  expect(() => parsePaymentStatus({ status: 'paid', amount: 'doze' })).toThrow();
});

const transaction = { id: 7, status: 'PAID', amount: 412.9, credited_amount: 408.81, content: 'BR' };

test('transactions are read alike from {data}, {transactions, total} and a bare list, with dates in either spelling', () => {
  const snake = [{ ...transaction, created_at: moment, paid_at: moment }];
  const read = parseTransactionFeed({ transactions: snake, total: 1 }).transactions;
  expect(read[0]).toMatchObject({
    id: '7',
    status: 'paid',
    amountCents: 41_290,
    creditedCents: 40_881,
    createdAt: moment,
    paidAt: moment,
    content: 'BR',
  });
  const camel = [{ ...transaction, createdAt: moment, paidAt: moment }];
  for (const answer of [{ data: snake }, snake, { data: camel }, camel])
    expect(parseTransactionFeed(answer).transactions).toEqual(read);
});

test('a full page without a total may be followed by another; a page that is not full is the last', () => {
  const page = (rows: number) => Array.from({ length: rows }, () => transaction);
  const requested = { offset: 10, limit: 10 };
  expect(parseTransactionFeed({ data: page(10) }, requested)).toMatchObject({ total: 21, counted: false });
  expect(parseTransactionFeed({ data: page(4) }, requested)).toMatchObject({ total: 14, counted: true });
  expect(parseTransactionFeed({ data: page(10), total: 20 }, requested)).toMatchObject({
    total: 20,
    counted: true,
  });
});

test('the requested page is cut out of a response that contains the whole list', () => {
  const all = Array.from({ length: 23 }, (_, id) => ({ ...transaction, id }));
  const { transactions, total } = parseTransactionFeed(all, { offset: 20, limit: 10 });
  expect(transactions.map(({ id }) => id)).toEqual(['20', '21', '22']);
  expect(total).toBe(23);
});

test('a created payment is read with its code as text or content, its QR code as base64 or data URI, and with or without id', () => {
  expect(parseCreatedPayment({ id: 3, text: 'BR', image: 'iVBOR' })).toMatchObject({
    id: '3',
    content: 'BR',
    image: 'data:image/png;base64,iVBOR',
  });
  expect(parseCreatedPayment({ content: 'BR', image: 'data:image/png;base64,x' })).toMatchObject({
    id: '',
    content: 'BR',
    image: 'data:image/png;base64,x',
  });
  expect(parsePaymentStatus({ id: 3, status: 'Pending', amount: 10.5, created_at: moment })).toMatchObject({
    status: 'pending',
    amountCents: 1050,
  });
});

test('an account is read in either spelling, with what is missing left empty', () => {
  const full = { id: 1, name: 'Ana Lima', username: 'ana', role: 'ADMIN', docType: 'CNPJ', balance: 0.1 };
  expect(
    parseUser({ ...full, api_active: true, created_at: moment, updated_at: moment, taxes: null }),
  ).toEqual(parseUser({ ...full, apiActive: true, createdAt: moment, updatedAt: moment }));
  expect(parseUser({ ...full, role: 'OWNER', docType: 'cnpj', avatar: null })).toMatchObject({
    role: 'USER',
    docType: 'CNPJ',
    avatar: '',
    balanceCents: 10,
  });
  expect(parseUser({ id: 1, username: 'ana' })).toMatchObject({ name: 'ana', approved: false, email: '' });
});

test('a balance has two parts only where both are there, and add up to it', () => {
  expect(balancePartsOf(410_861, 410_361, 500)).toEqual({ atOperatorCents: 410_361, atOwnBankCents: 500 });
  for (const [atOperator, atOwnBank] of [
    [410_861, 0],
    [0, 410_861],
    [410_861, 500],
    [null, undefined],
  ] as const)
    expect(balancePartsOf(410_861, atOperator, atOwnBank)).toBeNull();
  expect(parseUser({ id: 1, balance: 4108.61 })).toMatchObject({
    atOperatorCents: null,
    atOwnBankCents: null,
  });
});

test('the amount of a withdrawal is read in cents in a list and in BRL by itself, in either spelling and envelope', () => {
  const snake = {
    id: 9,
    status: 'PAID',
    pix_key: 'a@b.co',
    created_at: moment,
    completed_at: moment,
    error: null,
  };
  const camel = { id: 9, status: 'paid', pixKey: 'a@b.co', createdAt: moment, completedAt: moment };
  const read = parseWithdrawal({ ...snake, amount: 100.5 });
  expect(read).toMatchObject({ amountCents: 10_050, completedAt: moment, keyType: 'email' });
  expect(parseWithdrawal({ withdrawal: { ...camel, amount: 100.5 } })).toEqual(read);
  for (const item of [snake, camel])
    for (const answer of [
      { withdrawals: [{ ...item, amount_cents: 10_050 }] },
      [{ ...item, amount_cents: 10_050 }],
    ])
      expect(parseWithdrawals(answer).withdrawals).toEqual([read]);
  expect(parseWithdrawal({ ...snake, error: { code: 'X', message: 'Chave inexistente' } }).error).toBe(
    'Chave inexistente',
  );
});

test('the withdrawal fee defaults to R$ 1,50', () => {
  expect(DEFAULT_OUT_FEE_CENTS).toBe(150);
  expect(parseOutFees({}).fee).toEqual({ rate: 0, fixedCents: 150 });
  expect(parseOutFees({ outFee: 0 }).fee).toEqual({ rate: 0, fixedCents: 0 });
});

test('an API key is read in the format of the specification, with or without its masked form', () => {
  expect(parseApiKeyStatus({ hasKey: true, active: true, key: 'abc' })).toEqual({
    hasKey: true,
    active: true,
    key: 'abc',
    masked: null,
    madeBy: null,
  });
  expect(parseApiKeyStatus({ hasKey: false })).toMatchObject({ active: false, key: null });
  expect(parseGeneratedKey({ apiKey: 'abc', active: false })).toEqual({ apiKey: 'abc', active: false });
  expect(() => parseGeneratedKey({})).toThrow();
});

test('users and verifications are read from a bare list or a page, and a bare list counts as complete', () => {
  const user = { id: 5, username: 'rosa', name: 'Rosa Lima', push_ids: [] };
  expect(parseAdminUsers([user])).toMatchObject({ total: 1, whole: true });
  expect(parseAdminUsers({ users: [user] })).toMatchObject({ total: 1, whole: true });
  expect(parseAdminUsers({ users: [user], total: 240, limit: 100 })).toMatchObject({
    total: 240,
    whole: false,
  });
  expect(parseAdminUser(user).asReceived).toEqual(user);
  const item = { user: { id: 5, name: 'Rosa', email: 'r@x.co' }, document: { number: '1', type: 'cpf' } };
  const picture = { front_side: '/9j/abc', back_side: 'data:image/webp;base64,x', selfie: null };
  expect(parsePendingKyc([{ ...item, document: { ...item.document, ...picture } }]).items[0]).toMatchObject({
    userId: '5',
    docType: 'CPF',
    submittedAt: null,
    thumbnails: {
      document_front: 'data:image/jpeg;base64,/9j/abc',
      document_back: 'data:image/webp;base64,x',
      selfie: '',
    },
  });
});

test('page sizes, lifetimes of charges and reconnection of the live channel are those of the specification', () => {
  expect(PAGE_SIZE).toMatchObject({ transactions: 10, withdrawals: 10, recentTransactions: 5 });
  expect(CHARGE_EXPIRY).toMatchObject({ default: 1800, options: [900, 1800, 3600, 86_400] });
  expect(SOCKET_RECONNECT).toEqual({ tries: 5, delayMs: 3000 });
});
