import { randomUUID } from 'node:crypto';
import {
  type AuthorizationRequestMails,
  customer,
  REMINDER_LIMITS,
  reminderSettings,
  type Subscription,
  subscription as subscriptionSchema,
} from '@jangada/contract';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { type GivenMerchant, givenAdmin, givenMerchant, parseSuccess } from '../../test/given.ts';
import { workOnSubscriptions } from '../../test/given-subscription.ts';
import { mailsTo, sendQueuedMails } from '../../test/mailbox.ts';
import { randomCpf } from '../../test/random-cpf.ts';
import { waitForBlockedTransactions } from '../../test/wait-for-blocked-transactions.ts';
import { calendarDayOf, daysAfter, timeAtHour } from '../calendar-day.ts';
import { inTransaction } from '../db/transaction.ts';
import { writeMail } from '../mail/index.ts';
import { atHouse, PspUnknown } from '../psp/index.ts';
import { askToAuthorize } from './ask-to-authorize.ts';
import { insertDebitReminders } from './debit-reminder-store.ts';

let gateway: TestGateway;
let merchant: GivenMerchant;
beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
  await goTo('2027-03-01', 12);
});
beforeEach(async () => {
  await goTo(daysAfter(today(), 1), 12);
  // The customers of the tests before are not asked any more.
  await gateway.deps.db.updateTable('reminder_settings').set({ authorization_requests: null }).execute();
  merchant = await givenMerchant(gateway, { admin: await givenAdmin(gateway) });
});
afterAll(() => gateway.stop());

const today = () => calendarDayOf(gateway.deps.clock.now());
async function goTo(day: string, hour: number): Promise<void> {
  const left = timeAtHour(day, hour).getTime() - gateway.deps.clock.now().getTime();
  await gateway.advance(Math.max(0, Math.ceil(left / 1000)));
}

const mails: AuthorizationRequestMails = {
  active: true,
  subject: '{nome}: autorize {assinatura}',
  text: '{valor} a partir de {vencimento}: {link}',
};
async function switchOn(): Promise<void> {
  const { token } = merchant;
  const read = await gateway.api('GET', '/authed/reminders', undefined, { token });
  const { failed_debits, ...settings } = parseSuccess(reminderSettings, read);
  const body = { ...settings, authorization_requests: mails };
  const saved = await gateway.api('PUT', '/authed/reminders', body, { token });
  expect(parseSuccess(reminderSettings, saved)).toMatchObject({ failed_debits, ...body, version: 1 });
}

const callApi = (method: string, path: string, body?: unknown) =>
  gateway.api(method, path, body, { apiKey: merchant.apiKey });

type Given = { readonly subscription: Subscription; readonly email: string };
let number = 0;
/** A subscription that its customer has not authorised. */
async function givenWaiting(fields: object = {}, email: string | null = newEmail()): Promise<Given> {
  const body = { name: 'Ana Souza', document: randomCpf(), email };
  const { id } = parseSuccess(customer, await callApi('POST', '/customers', body));
  const made = await callApi('POST', '/subscriptions', {
    ...{ customer_id: id, description: 'Mensalidade', amount: 80, period: 'monthly' },
    ...{ first_day: daysAfter(today(), 20), authorization: 'code', ...fields },
  });
  await workOnSubscriptions(gateway);
  return { subscription: parseSuccess(subscriptionSchema, made), email: email ?? '' };
}
function newEmail(): string {
  number += 1;
  return `sem-autorizar-${number}@example.com`;
}

const authorize = async ({ subscription }: Given) => {
  await gateway.bank.control('POST', '/sandbox/recs', { brCode: subscription.code });
  await gateway.advance(60);
  await workOnSubscriptions(gateway);
};
const end = ({ subscription: { id } }: Given) => callApi('POST', `/subscriptions/${id}/cancel`);
const changeCustomer =
  (fields: { reminders_stopped_at: Date | null } | { archived_at: Date }) =>
  async ({ subscription }: Given) => {
    const { db } = gateway.deps;
    await db
      .updateTable('customers')
      .set(fields)
      .where('id', '=', subscription.customer_id ?? '')
      .execute();
  };
const stop = (given: Given) => changeCustomer({ reminders_stopped_at: gateway.deps.clock.now() })(given);
const resume = changeCustomer({ reminders_stopped_at: null });
const archive = (given: Given) => changeCustomer({ archived_at: gateway.deps.clock.now() })(given);

/** Lets requests go out, and returns what came to a customer, newest first. */
const asked = async ({ email }: Given) => {
  while ((await askToAuthorize(gateway.deps)) > 0);
  await sendQueuedMails(gateway);
  return mailsTo(gateway, email);
};

test('nobody is asked until the merchant switches it on', async () => {
  expect(await asked(await givenWaiting())).toEqual([]);
});

test('a customer is asked once, and once more after three days, by day only', async () => {
  await switchOn();
  const created = today();
  await goTo(created, 23);
  const given = await givenWaiting();
  expect(await asked(given)).toEqual([]);
  await goTo(daysAfter(created, 1), 9);
  const [first, ...others] = await asked(given);
  expect(others).toEqual([]);
  expect(first?.subject).toBe('Ana Souza: autorize Mensalidade');
  const firstDay = given.subscription.first_day.split('-').reverse().join('/');
  expect(first?.text).toContain(`R$\u00a080,00 a partir de ${firstDay}: ${given.subscription.page_url}`);
  expect(first?.text).toMatch(/\/lembretes\/\S+/);
  await goTo(daysAfter(created, 4), 8);
  expect(await asked(given)).toHaveLength(1);
  await goTo(daysAfter(created, 4), 10);
  expect(await asked(given)).toHaveLength(2);
  await goTo(daysAfter(created, 9), 12);
  expect(await asked(given)).toHaveLength(2);
});

test('a varying amount is named as such', async () => {
  await switchOn();
  const [mail] = await asked(await givenWaiting({ amount: null }));
  expect(mail?.text).toContain('valor variável a partir de');
});

test('nobody is asked about a subscription that is older than a week', async () => {
  await switchOn();
  const [young, old] = [await givenWaiting(), await givenWaiting()];
  for (const given of [young, old]) await stop(given);
  await goTo(daysAfter(today(), 6), 12);
  await resume(young);
  expect(await asked(young)).toHaveLength(1);
  await goTo(daysAfter(today(), 2), 12);
  await resume(old);
  expect(await asked(old)).toEqual([]);
});

test('a customer is also asked whose code the bank made only after a week, and the week counts from then on', async () => {
  await switchOn();
  const { recurring } = atHouse(gateway.deps).psp;
  if (recurring === undefined) throw new Error('a bank without mandates');
  const refusal = vi.spyOn(recurring, 'createLocation').mockRejectedValue(new PspUnknown('no answer'));
  const [given, late] = [await givenWaiting(), await givenWaiting()];
  await goTo(daysAfter(today(), 9), 12);
  expect(await asked(given)).toEqual([]);
  refusal.mockRestore();
  await workOnSubscriptions(gateway);
  await stop(late);
  expect(await asked(given)).toHaveLength(1);
  await goTo(daysAfter(today(), 7), 13);
  await workOnSubscriptions(gateway);
  await resume(late);
  expect([await asked(given), await asked(late)]).toMatchObject([[{}, {}], []]);
});

test('the mail names the first day that can still be met, and nobody is asked once there is none', async () => {
  await switchOn();
  const weekly = { period: 'weekly', first_day: daysAfter(today(), 2) };
  const given = await givenWaiting(weekly);
  const over = await givenWaiting({ ...weekly, last_day: daysAfter(today(), 8) });
  for (const each of [given, over]) await stop(each);
  const second = daysAfter(today(), 9).split('-').reverse().join('/');
  await goTo(daysAfter(today(), 3), 12);
  for (const each of [given, over]) await resume(each);
  expect(await asked(given)).toMatchObject([{ text: expect.stringContaining(`a partir de ${second}:`) }]);
  expect(await asked(over)).toEqual([]);
});

test.each([
  ['authorised', authorize],
  ['ended', end],
  ['of a customer who stopped the mails', stop],
  ['of a customer who was archived', archive],
])(
  'nobody is asked once the subscription is %s, also not by a mail that was written before',
  async (_, become) => {
    await switchOn();
    const [before, written] = [await givenWaiting(), await givenWaiting()];
    await become(before);
    expect(await askToAuthorize(gateway.deps)).toBe(1);
    await become(written);
    expect([await asked(before), await asked(written)]).toEqual([[], []]);
    await goTo(daysAfter(today(), 4), 12);
    expect([await asked(before), await asked(written)]).toEqual([[], []]);
  },
);

test.each(['pay', 'offer'])(
  'nobody is asked by mail for the code of %s, which takes a payment',
  async (authorization) => {
    await switchOn();
    const due = authorization === 'offer' ? { due_date: daysAfter(today(), 5) } : {};
    const given = await givenWaiting({ authorization, first_payment: { amount: 30, ...due } });
    expect(await asked(given)).toEqual([]);
    await inTransaction(gateway.deps, (tx) =>
      writeMail(tx, {
        ...{
          userId: merchant.id,
          kind: 'reminder',
          to: given.email,
          subject: 'Autorize',
          paragraphs: ['Autorize'],
        },
        subscriptionId: given.subscription.id,
      }),
    );
    expect(await asked(given), 'not even by a mail that was written').toEqual([]);
  },
);

test('an address gets one request a day, whichever customers have it, and the others on the next days', async () => {
  await switchOn();
  const email = newEmail();
  const given = await givenWaiting({ description: 'Turma 1' }, email);
  await givenWaiting({ description: 'Turma 2' }, email.toUpperCase());
  await givenWaiting({ description: 'Turma 3' }, email);
  const other = await givenWaiting();
  const sent: string[] = [];
  const created = today();
  for (let day = 0; day < 8; day += 1) {
    // Later each day, so that three whole days pass between two requests.
    await goTo(daysAfter(created, day), 12 + day);
    await asked(other);
    await asked(given);
    const mails = [...(await mailsTo(gateway, email)), ...(await mailsTo(gateway, email.toUpperCase()))];
    sent.push(mails.length.toString());
  }
  expect(sent, 'how many were sent by the end of each day').toEqual(['1', '2', '3', '4', '5', '6', '6', '6']);
  expect(await asked(other)).toHaveLength(2);
});

test('nobody is asked without a mail, nor for what the app of their bank asks by itself', async () => {
  await switchOn();
  await givenWaiting({}, null);
  const pushed = { authorization: 'push', payer_account: { ispb: '12345678', number: '123456' } };
  const given = await givenWaiting(pushed);
  expect(await askToAuthorize(gateway.deps)).toBe(0);
  expect(await asked(given)).toEqual([]);
});

test('a customer is asked once, whichever of several processes asks', async () => {
  await switchOn();
  const [first, second] = [await givenWaiting(), await givenWaiting()];
  const [inserted, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const other = inTransaction(gateway.deps, async (tx) => {
    const { id: subscriptionId, customer_id } = first.subscription;
    const asking = { subscriptionId, number: 0, customerId: customer_id ?? '' };
    await insertDebitReminders(tx, merchant.id, 'authorization', [asking]);
    inserted.resolve();
    await mayCommit.promise;
  });
  await inserted.promise;
  const late = askToAuthorize(gateway.deps);
  await waitForBlockedTransactions(gateway.deps.db);
  mayCommit.resolve();
  await other;
  expect(await late).toBe(1);
  expect([await asked(first), await asked(second)]).toMatchObject([[], [{}]]);
});

test.each([
  ['those beyond the limit of a day are asked on the next one', 'authorization', 0],
  ['mails about failed debits take no room from requests', 'warning', 1],
])('%s', async (_, kind, before) => {
  await switchOn();
  const given = await givenWaiting();
  const { id: merchant_id } = merchant;
  const customer_id = randomUUID();
  const created_at = gateway.deps.clock.now();
  const others = Array.from({ length: REMINDER_LIMITS.perDay }, () => ({
    ...{ merchant_id, customer_id, created_at, kind, number: kind === 'warning' ? 1 : 0 },
    subscription_id: randomUUID(),
  }));
  await gateway.deps.db.insertInto('debit_reminders').values(others).execute();
  expect(await asked(given)).toHaveLength(before);
  await goTo(daysAfter(today(), 1), 12);
  expect(await asked(given)).toHaveLength(1);
});
