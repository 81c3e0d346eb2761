import { randomUUID } from 'node:crypto';
import {
  customer,
  errorEnvelope,
  type FailedDebitMails,
  listCycles,
  REMINDER_LIMITS,
  reminderSettings,
  type Subscription,
  subscription as subscriptionSchema,
} from '@jangada/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { failOnRow } from '../../test/fail-on-row.ts';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { type GivenMerchant, givenAdmin, givenMerchant, parseSuccess } from '../../test/given.ts';
import { workOnSubscriptions } from '../../test/given-subscription.ts';
import { mailsTo, sendQueuedMails } from '../../test/mailbox.ts';
import { randomCpf } from '../../test/random-cpf.ts';
import { waitForBlockedTransactions } from '../../test/wait-for-blocked-transactions.ts';
import { calendarDayOf, daysAfter, timeAtHour } from '../calendar-day.ts';
import { inTransaction } from '../db/transaction.ts';
import { auditLedger } from '../ledger/index.ts';
import { reconcilePayments } from '../payments/reconcile-payments.ts';
import { atHouse } from '../psp/index.ts';
import { insertDebitReminders } from './debit-reminder-store.ts';
import { tellOfFailedDebits } from './tell-of-failed-debits.ts';

let gateway: TestGateway;
let merchant: GivenMerchant;
beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
  await gateway.advance((timeAtHour('2027-03-01', 12).getTime() - gateway.deps.clock.now().getTime()) / 1000);
});
beforeEach(async () => {
  // The customers of the tests before are not told any more.
  await gateway.deps.db.updateTable('reminder_settings').set({ failed_debits: null }).execute();
  merchant = await givenMerchant(gateway, { admin: await givenAdmin(gateway) });
});
afterAll(async () => {
  expect(await auditLedger(gateway.deps.db)).toEqual([]);
  await gateway.stop();
});

const today = () => calendarDayOf(gateway.deps.clock.now());

async function goTo(day: string, hour: number): Promise<void> {
  const target = timeAtHour(day, hour).getTime();
  for (;;) {
    const leftSeconds = Math.ceil((target - gateway.deps.clock.now().getTime()) / 1000);
    if (leftSeconds <= 0) return;
    await gateway.advance(Math.min(leftSeconds, 4 * 3600));
    await work();
  }
}

async function work(): Promise<void> {
  await reconcilePayments(atHouse(gateway.deps));
  await workOnSubscriptions(gateway);
  await tellOfFailedDebits(gateway.deps);
  await sendQueuedMails(gateway);
}

const mails: FailedDebitMails = {
  active: true,
  subject: '{nome}: {valor} não debitado',
  text: 'De {vencimento}. Pague: {link}',
  warns: false,
  warning_subject: 'Nova tentativa em {tentativa}',
  warning_text: 'De {vencimento}. Veja: {link}',
};
async function switchOn(fields: Partial<FailedDebitMails> = {}): Promise<void> {
  const { token } = merchant;
  const read = await gateway.api('GET', '/authed/reminders', undefined, { token });
  const settings = parseSuccess(reminderSettings, read);
  const body = { ...settings, failed_debits: { ...mails, ...fields } };
  const saved = await gateway.api('PUT', '/authed/reminders', body, { token });
  expect(parseSuccess(reminderSettings, saved)).toMatchObject({
    active: false,
    failed_debits: { ...mails, ...fields },
  });
}

const callApi = (method: string, path: string, body?: unknown) =>
  gateway.api(method, path, body, { apiKey: merchant.apiKey });

type Given = { readonly subscription: Subscription; readonly email: string };
let number = 0;
/** A subscription whose debits fail from now on, due in nine days. */
async function givenPoorPayer(fields: object = {}): Promise<Given> {
  number += 1;
  const email = `sem-saldo-${number}@example.com`;
  const body = { name: 'Ana Souza', document: randomCpf(), email };
  const { id } = parseSuccess(customer, await callApi('POST', '/customers', body));
  const made = await callApi('POST', '/subscriptions', {
    ...{ customer_id: id, description: 'Mensalidade', amount: 80, period: 'monthly' },
    ...{ first_day: daysAfter(today(), 9), authorization: 'code', retry_days: [], ...fields },
  });
  const subscription = parseSuccess(subscriptionSchema, made);
  await gateway.bank.control('POST', '/sandbox/recs', { brCode: subscription.code });
  const noFunds = { funds: [{ fromHour: 0, amount: 0 }] };
  await gateway.bank.control('PUT', `/sandbox/recs/${subscription.mandate.id_rec}/debits`, noFunds);
  await gateway.advance(60);
  await work();
  return { subscription, email };
}
const firstCycle = async ({ subscription: { id } }: Given) => {
  const answer = await callApi('GET', `/subscriptions/${id}/cycles`);
  return parseSuccess(listCycles.response, answer).data.at(-1);
};
const debitDayOf = async (given: Given) => (await firstCycle(given))?.debit_day ?? '';
const tell = async ({ email }: Given) => {
  await tellOfFailedDebits(gateway.deps);
  await sendQueuedMails(gateway);
  return mailsTo(gateway, email);
};
async function pay(paymentId: string): Promise<void> {
  const { br_code: brCode } = await gateway.deps.db
    .selectFrom('charges')
    .select('br_code')
    .where('id', '=', paymentId)
    .executeTakeFirstOrThrow();
  await gateway.bank.pay({ brCode });
  await gateway.advance(5);
  await work();
}

describe('a debit that failed for good', () => {
  test('is told to nobody until the merchant switches it on', async () => {
    const given = await givenPoorPayer();
    await goTo(daysAfter(await debitDayOf(given), 1), 12);
    expect(await firstCycle(given)).toMatchObject({ status: 'given_up', other_payment_id: null });
    expect(await tell(given)).toEqual([]);
  });

  test('is told once, by day, with a charge that pays the cycle, after which nothing is debited', async () => {
    await switchOn();
    const given = await givenPoorPayer();
    const day = await debitDayOf(given);
    await goTo(day, 23);
    expect(await firstCycle(given)).toMatchObject({ status: 'given_up' });
    expect(await tell(given)).toEqual([]);
    await goTo(daysAfter(day, 1), 12);
    const cycle = await firstCycle(given);
    expect(await tell(given)).toMatchObject([{ subject: 'Ana Souza: R$\u00a080,00 não debitado' }]);
    const [mail] = await tell(given);
    expect(mail?.text).toContain(`Pague: ${cycle?.other_checkout_url}`);
    expect(mail?.text).toMatch(/\/lembretes\/\S+/);
    await pay(cycle?.other_payment_id ?? '');
    expect(await firstCycle(given)).toMatchObject({
      status: 'paid',
      attempts: [{ day, status: 'expired' }],
    });
    await goTo(daysAfter(day, 9), 12);
    expect((await firstCycle(given))?.attempts).toHaveLength(1);
    expect(await tell(given)).toHaveLength(1);
  });

  test('is told once, whichever of several processes tells it', async () => {
    const given = await givenPoorPayer();
    await goTo(daysAfter(await debitDayOf(given), 1), 12);
    await switchOnDirectly();
    const { id: subscriptionId, customer_id: customerId } = given.subscription;
    // Another process tells it, and has not committed yet when this one is about to.
    const [inserted, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const other = inTransaction(gateway.deps, async (tx) => {
      const told = { subscriptionId, number: 1, customerId: customerId ?? '' };
      await insertDebitReminders(tx, merchant.id, 'given_up', [told]);
      inserted.resolve();
      await mayCommit.promise;
    });
    await inserted.promise;
    const late = tellOfFailedDebits(gateway.deps);
    await waitForBlockedTransactions(gateway.deps.db);
    mayCommit.resolve();
    await other;
    expect(await late).toBe(0);
    expect(await tell(given)).toEqual([]);
  });

  test('is told although the mails of another account cannot be written', async () => {
    const first = merchant;
    const failing = await givenPoorPayer();
    merchant = await givenMerchant(gateway, { admin: await givenAdmin(gateway) });
    const given = await givenPoorPayer();
    await goTo(daysAfter(await debitDayOf(given), 1), 12);
    await switchOnDirectly();
    await switchOnDirectly(first);
    const endFailure = await failOnRow(gateway, 'debit_reminders', `new.merchant_id = ${first.id}`);
    expect(await tell(given)).toHaveLength(1);
    await endFailure();
    expect(await tell(failing)).toHaveLength(1);
  });

  test('is told although as many requests to authorise went out as a day allows', async () => {
    const given = await givenPoorPayer();
    await goTo(daysAfter(await debitDayOf(given), 1), 12);
    await switchOnDirectly();
    const requests = Array.from({ length: REMINDER_LIMITS.perDay }, () => ({
      ...{ merchant_id: merchant.id, customer_id: randomUUID(), subscription_id: randomUUID() },
      ...{ number: 0, kind: 'authorization', created_at: gateway.deps.clock.now() },
    }));
    await gateway.deps.db.insertInto('debit_reminders').values(requests).execute();
    expect(await tell(given)).toHaveLength(1);
  });

  test('is not told to who stopped the mails, nor of a cycle that was paid before the morning', async () => {
    await switchOn();
    const [stopped, paid] = [await givenPoorPayer(), await givenPoorPayer()];
    await gateway.deps.db
      .updateTable('customers')
      .set({ reminders_stopped_at: gateway.deps.clock.now() })
      .where('id', '=', stopped.subscription.customer_id ?? '')
      .execute();
    const day = await debitDayOf(paid);
    await goTo(day, 23);
    await callApi('POST', `/subscriptions/${paid.subscription.id}/cycles/1/charge`);
    await pay((await firstCycle(paid))?.other_payment_id ?? '');
    await goTo(daysAfter(day, 1), 12);
    expect([await tell(stopped), await tell(paid)]).toEqual([[], []]);
  });

  test('is not told once the merchant ended the subscription', async () => {
    await switchOn();
    const given = await givenPoorPayer();
    const day = await debitDayOf(given);
    await goTo(day, 23);
    await callApi('POST', `/subscriptions/${given.subscription.id}/cancel`);
    await goTo(daysAfter(day, 1), 12);
    expect(await tell(given)).toEqual([]);
  });
});

/** As `switchOn`, for tests whose session has ended meanwhile. */
const switchOnDirectly = async ({ id: merchant_id } = merchant) => {
  const failed_debits = JSON.stringify(mails);
  const row = { merchant_id, failed_debits, active: false, days: [0], subject: 'a', body: 'b' };
  await gateway.deps.db
    .insertInto('reminder_settings')
    .values({ ...row, updated_at: gateway.deps.clock.now() })
    .execute();
};

describe('while the bank tries again', () => {
  test('a warning names the next try and leads to no charge; giving up leads to one', async () => {
    await switchOn({ warns: true });
    const given = await givenPoorPayer({ retry_days: [7] });
    const day = await debitDayOf(given);
    await goTo(daysAfter(day, 2), 12);
    const next = (await firstCycle(given))?.attempts.at(-1);
    expect(await firstCycle(given)).toMatchObject({ status: 'retrying', other_payment_id: null });
    const [warning, ...others] = await tell(given);
    expect(others).toEqual([]);
    expect(warning?.subject).toBe(`Nova tentativa em ${next?.day.split('-').reverse().join('/')}`);
    expect(warning?.text).toContain(`Veja: ${given.subscription.page_url}`);
    await goTo(daysAfter(next?.day ?? '', 1), 12);
    expect(await firstCycle(given)).toMatchObject({ status: 'given_up' });
    expect(await tell(given)).toHaveLength(2);
  });

  test('no charge can be made, so that the cycle is not paid twice', async () => {
    const given = await givenPoorPayer({ retry_days: [7] });
    await goTo(daysAfter(await debitDayOf(given), 1), 12);
    const refused = await callApi('POST', `/subscriptions/${given.subscription.id}/cycles/1/charge`);
    expect(errorEnvelope.parse(refused.body).error.code).toBe('CYCLE_TOO_LATE');
  });
});

test('a debit is taken back when the cycle is paid by its code before it', async () => {
  const given = await givenPoorPayer();
  const day = await debitDayOf(given);
  await goTo(daysAfter(day, -3), 12);
  expect(await firstCycle(given)).toMatchObject({ status: 'scheduled' });
  await callApi('POST', `/subscriptions/${given.subscription.id}/cycles/1/charge`);
  await pay((await firstCycle(given))?.other_payment_id ?? '');
  await goTo(daysAfter(day, 1), 12);
  expect(await firstCycle(given)).toMatchObject({
    status: 'paid',
    reason: 'paid_otherwise',
    attempts: [{ status: 'cancelled' }],
  });
});
