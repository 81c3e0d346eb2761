import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { applyLiveMessage, isAboutOwnAccounts, notificationLine, readLiveMessage } from './live-messages.ts';

const charge = {
  id: '3f2c9a4e-1111-4222-8333-444455556666',
  status: 'paid',
  amount: 12.5,
  credited_amount: 12.38,
  paid_at: '2026-11-21T12:00:00.000Z',
};
const read = (content: unknown) => {
  const message = readLiveMessage(JSON.stringify(content));
  if (message === undefined) throw new Error('not read');
  return message;
};

test('a balance is written to the account in cents', () => {
  const cache = new QueryClient();
  cache.setQueryData(['profile'], { name: 'Ana', balanceCents: 0 });
  applyLiveMessage(cache, read({ type: 'balance', balance: 19.99 }));
  expect(cache.getQueryData(['profile'])).toEqual({ name: 'Ana', balanceCents: 1999 });
});

test('a paid charge is updated in its own query and in every list that contains it', () => {
  const cache = new QueryClient();
  const transaction = { id: charge.id, status: 'pending', amountCents: 1250, creditedCents: 0, paidAt: null };
  const other = { ...transaction, id: 'other' };
  cache.setQueryData(['feed', { offset: 0 }], { transactions: [transaction, other], total: 2 });
  applyLiveMessage(cache, read({ type: 'charge', charge }));
  expect(cache.getQueryData(['charge', charge.id])).toMatchObject({ status: 'paid', paidAt: charge.paid_at });
  expect(cache.getQueryData(['feed', { offset: 0 }])).toMatchObject({
    transactions: [
      { id: charge.id, status: 'paid', creditedCents: 1238 },
      { id: 'other', status: 'pending' },
    ],
  });
});

test('a partly refunded payment has its refunded amount, and stays paid', () => {
  const cache = new QueryClient();
  const transaction = { id: charge.id, status: 'paid', creditedCents: 1238, refundedCents: 0 };
  cache.setQueryData(['feed', {}], { transactions: [transaction], total: 1 });
  applyLiveMessage(cache, read({ type: 'charge', charge: { ...charge, refunded_amount: 4.2 } }));
  expect(cache.getQueryData(['charge', charge.id])).toMatchObject({ status: 'paid', refundedCents: 420 });
  expect(cache.getQueryData(['feed', {}])).toMatchObject({
    transactions: [{ status: 'paid', refundedCents: 420 }],
  });
  applyLiveMessage(cache, read({ type: 'charge', charge }));
  expect(cache.getQueryData(['feed', {}])).toMatchObject({ transactions: [{ refundedCents: 420 }] });
});

test('a changed withdrawal is updated in its own query and in every list that contains it', () => {
  const cache = new QueryClient();
  const known = { id: 'w1', status: 'processing', amountCents: 250_000 };
  cache.setQueryData(['withdrawal', 'w1'], known);
  cache.setQueryData(['withdrawals', { page: 1 }], {
    withdrawals: [known, { ...known, id: 'w2' }],
    total: 2,
  });
  applyLiveMessage(cache, read({ type: 'withdrawal', withdrawal: { id: 'w1', status: 'completed' } }));
  expect(cache.getQueryData(['withdrawal', 'w1'])).toEqual({ ...known, status: 'completed' });
  expect(cache.getQueryData(['withdrawals', { page: 1 }])).toMatchObject({
    withdrawals: [
      { id: 'w1', status: 'completed' },
      { id: 'w2', status: 'processing' },
    ],
  });
  applyLiveMessage(cache, read({ type: 'withdrawal', withdrawal: { id: 'w9', status: 'failed' } }));
  expect(cache.getQueryData(['withdrawal', 'w9'])).toBeUndefined();
});

test('a notification of another provider needs only a title and a body', () => {
  const notification = { id: 7, title: 'Pix recebido', body: 'R$ 10,00', data: null };
  expect(read({ type: 'notification', notification })).toMatchObject({
    notification: { title: 'Pix recebido', body: 'R$ 10,00', data: {} },
  });
});

test.each(['', 'no json', '{}', '{"type":"new-kind"}', '{"type":"balance","balance":"1"}', 'null'])(
  'an unknown message %j is ignored',
  (text) => {
    expect(readLiveMessage(text)).toBeUndefined();
  },
);

test('a notification line contains the title once', () => {
  expect(notificationLine({ title: 'Pix recebido', body: 'R$ 12,00 de Maria.' })).toBe(
    'Pix recebido · R$ 12,00 de Maria.',
  );
  expect(notificationLine({ title: 'PIN de saque', body: 'PIN de saque definido.' })).toBe(
    'PIN de saque definido.',
  );
});

test('a message without the time of payment keeps the cached one', () => {
  const cache = new QueryClient();
  const known = { id: charge.id, status: 'paid', amountCents: 1250, paidAt: charge.paid_at };
  const receiptUrl = 'https://pix.example.com/recibo/1';
  cache.setQueryData(['feed', {}], { transactions: [known], total: 1 });
  cache.setQueryData(['charge', charge.id], { ...known, receiptUrl });
  applyLiveMessage(cache, read({ type: 'charge', charge: { ...charge, status: 'refunded', paid_at: null } }));
  expect(cache.getQueryData(['feed', {}])).toMatchObject({
    transactions: [{ status: 'refunded', paidAt: charge.paid_at }],
  });
  expect(cache.getQueryData(['charge', charge.id])).toMatchObject({
    status: 'refunded',
    paidAt: charge.paid_at,
    receiptUrl,
  });
});

test('a change of the account and a notification about a bank account may concern own accounts', () => {
  const notice = (type: string) => ({
    type: 'notification',
    notification: {
      title: 'Conta bancária suspensa',
      body: 'Nada novo pode ser recebido nela.',
      data: { type },
    },
  });
  const messages = [
    { type: 'account' },
    notice('connection.suspended'),
    notice('payment.paid'),
    { type: 'unread', unread: 1 },
  ];
  expect(messages.map((message) => isAboutOwnAccounts(read(message)))).toEqual([true, true, false, false]);
});
