import { expect, test } from 'vitest';
import { requestClosing } from './account-endpoints.ts';
import { changeBrand } from './brand-endpoints.ts';
import { newCounterCode } from './counter-code.ts';
import { defence } from './dispute.ts';
import { newPayment } from './new-payment.ts';
import { newPaymentLink } from './payment-link.ts';
import { refundRequest } from './refund.ts';
import { accountName, newEmail } from './registration.ts';

const acceptors: Readonly<Record<string, (text: string) => boolean>> = {
  'the title of a link': (title) => newPaymentLink.safeParse({ title }).success,
  'the description of a link': (description) =>
    newPaymentLink.safeParse({ title: 'Curso', description }).success,
  'the description of a charge': (description) => newPayment.safeParse({ amount: 25.9, description }).success,
  'the name of a counter code': (name) => newCounterCode.safeParse({ name }).success,
  'the name of an account': (name) => accountName.safeParse(name).success,
  'the name that payers see': (name) =>
    changeBrand.body.safeParse({ display_name: name, colour: null }).success,
  'the reason of a refund': (reason) => refundRequest.safeParse({ reason }).success,
  'a defence': (text) => defence.safeParse({ text }).success,
  'why an account is to be closed': (reason) =>
    requestClosing.body.safeParse({ password: 'lojista-demo', reason }).success,
};

test.each(Object.keys(acceptors))(
  '%s displays as written: nothing in it changes the reading direction',
  (name) => {
    const accepts = acceptors[name] ?? (() => false);
    expect(accepts('Açaí & Cia. 🛶 «عسل» – R$ 10,00')).toBe(true);
    for (const turn of ['\u202e', '\u202a', '\u2066', '\u2067', '\u2069', '\u200f', '\u061c'])
      expect(accepts(`Pagar ${turn}00,01 $R`)).toBe(false);
    for (const control of ['\u0007', '\u001b', '\u0085'])
      expect(accepts(`Curso${control}online`)).toBe(false);
  },
);

test('a new e-mail address contains nothing that changes the reading direction', () => {
  expect(newEmail.safeParse('maria@example.com').success).toBe(true);
  expect(newEmail.safeParse('maria\u202e@example.com').success).toBe(false);
});

test('a multi-line text may contain line breaks', () => {
  expect(
    newPaymentLink.safeParse({ title: 'Curso', description: 'Duas aulas.\n\tTrês exercícios.' }).success,
  ).toBe(true);
});
