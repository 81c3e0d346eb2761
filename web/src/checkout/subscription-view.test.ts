// What a payer reads on the page of a subscription, in each of its states.

import type { SubscriptionPage } from '@jangada/contract';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { payerPage } from '../testing/subscription-samples.ts';
import { SubscriptionView } from './subscription-view.tsx';

const htmlOf = (changes: Partial<SubscriptionPage>) =>
  renderToStaticMarkup(createElement(SubscriptionView, { page: { ...payerPage, ...changes } }));
/** The text of the page, with single spaces. */
const textOf = (changes: Partial<SubscriptionPage>) =>
  htmlOf(changes)
    .replace(/<[^>]+>/g, ' ')
    .replace(/[\s\u00a0]+/g, ' ');

const allowed: Partial<SubscriptionPage> = {
  state: 'allowed',
  code: '',
  allowedAt: '2026-12-21T12:00:00.000Z',
};

test('a page that waits says who asks, for what, how much and how often, with the code and three steps', () => {
  const text = textOf({});
  for (const part of [
    /Academia Onda pede a sua autorização para cobrar/,
    /R\$ 99,90 Mensalidade da academia/,
    /Todo dia 10 , a partir de 10\/01\/2027/,
    /próximo dia útil/,
    /Ana S\..*\*\*\*\.982\.247-\*\*/,
    /Copie o código.*Abra o aplicativo do seu banco.*Confira quem cobra/,
  ])
    expect(text).toMatch(part);
  expect(text).toContain(payerPage.code);
  expect(htmlOf({})).toContain('data-status-path="/autorizar/k7TzQ9vB2mXw8RfL/status"');
});

test('what is paid along with the permission is said before it is paid', () => {
  const firstPayment = { amountCents: 9990, dueDate: '2027-01-10' };
  expect(textOf({ authorization: 'pay', firstPayment })).toMatch(/você paga R\$ 99,90 agora e autoriza/);
  expect(textOf({ authorization: 'offer', firstPayment })).toMatch(/vence em 10\/01\/2027.*aceite se quiser/);
  expect(textOf({})).not.toMatch(/agora e autoriza/);
});

test('a varying amount says that the payer chooses the maximum, and how low it may be', () => {
  expect(textOf({ amountCents: null, minMaximumCents: 15_000 })).toMatch(
    /Valor variável.*máximo que aceita pagar por vez, de pelo menos R\$ 150,00/,
  );
});

test('a request in the bank’s app needs no code, and a code that the bank has not made is not shown', () => {
  const push = textOf({ authorization: 'push', code: '' });
  expect(push).toMatch(/aparece no aplicativo do seu banco.*entre em Pix Automático/);
  expect(push).not.toMatch(/Copiar código/);
  expect(textOf({ code: '' })).toMatch(/ainda está sendo gerado/);
});

test('once allowed it shows since when, the next debit, the last payments and how to cancel, and no code', () => {
  const text = textOf({
    ...allowed,
    nextDebit: { dueDay: '2027-02-10', day: '2027-02-10', amountCents: 9990 },
    payments: [{ dueDay: '2027-01-10', day: '2027-01-11', amountCents: 9990 }],
    now: '2027-01-20T12:00:00.000Z',
  });
  for (const part of [
    /Débito autorizado/,
    /Próximo débito 10\/02\/2027/,
    /Autorizado em 21\/12\/2026/,
    /Cobrança de janeiro Pago em 11\/01\/2027 R\$ 99,90/,
    /Como cancelar no seu banco/,
  ])
    expect(text).toMatch(part);
  expect(text).not.toMatch(/Copiar código/);
});

test('until the first debit is planned its day is told, and nothing once all are over', () => {
  expect(textOf(allowed)).toMatch(/Próximo débito A partir de 10\/01\/2027/);
  expect(textOf({ ...allowed, now: '2027-03-01T12:00:00.000Z' })).toMatch(/Próximo débito Nenhum/);
});

test('a failed debit says when the bank tries again, or where it is paid', () => {
  const unpaid = { dueDay: '2026-12-10', day: '2026-12-10', amountCents: 9990 };
  expect(textOf({ ...allowed, unpaid: { ...unpaid, nextTryDay: '2026-12-11', payUrl: null } })).toMatch(
    /A cobrança de dezembro não foi debitada O seu banco tenta de novo em 11\/12\/2026/,
  );
  const payable = { ...allowed, unpaid: { ...unpaid, nextTryDay: null, payUrl: '/pagar/abc' } };
  expect(textOf(payable)).toMatch(/não tenta mais.*Pagar R\$ 99,90 agora/);
  expect(htmlOf(payable)).toContain('href="/pagar/abc"');
});

test.each([
  [{ state: 'rejected' }, /Você não autorizou os débitos.*Nada será debitado/],
  [{ state: 'expired' }, /O prazo para autorizar passou/],
  [{ state: 'ended' }, /chegou ao fim.*não precisa fazer nada/],
  [{ state: 'cancelled', endedBy: 'payee' }, /pedido foi cancelado.*Não use o código antigo/],
  [
    { state: 'cancelled', endedBy: 'payer', allowedAt: allowed.allowedAt ?? null },
    /Você cancelou os débitos/,
  ],
  [{ state: 'cancelled', endedBy: 'bank', allowedAt: allowed.allowedAt ?? null }, /O banco cancelou/],
  [{ state: 'cancelled', endedBy: 'payee', allowedAt: allowed.allowedAt ?? null }, /Academia Onda cancelou/],
] as const)('%o says what happened, and shows no code', (changes, text) => {
  const shown = textOf({ ...changes });
  expect(shown).toMatch(text);
  expect(shown).not.toContain(payerPage.code);
});
