import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import {
  type Customer,
  createdPayment,
  customer,
  errorEnvelope,
  getCustomer,
  REMINDER_LIMITS,
  type ReminderSettings,
  reminderSettings,
} from '@jangada/contract';
import { request } from 'undici';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildStaleWorkspaces } from '../../../tools/build.ts';
import { failOnRow } from '../../test/fail-on-row.ts';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { type GivenMerchant, givenAdmin, givenMerchant, parseSuccess } from '../../test/given.ts';
import { givenMember } from '../../test/given-member.ts';
import { mailsTo, sendQueuedMails } from '../../test/mailbox.ts';
import { randomCpf } from '../../test/random-cpf.ts';
import { calendarDayOf, daysAfter, timeAtHour } from '../calendar-day.ts';
import { sendMails } from '../mail/send-mails.ts';
import { reconcilePayments } from '../payments/reconcile-payments.ts';
import { atHouse } from '../psp/index.ts';
import { sendReminders } from './send-reminders.ts';

let gateway: TestGateway;
let merchant: GivenMerchant;
beforeAll(async () => {
  buildStaleWorkspaces();
  const pages = fileURLToPath(new URL('../../../web/dist', import.meta.url));
  gateway = await startTestGateway({ startsWork: false, pages });
  await advanceTo('2027-01-11', 12);
});
beforeEach(async () => {
  await advanceTo(daysAfter(today(), 1), 12);
  // The customers of the tests before are not reminded any more.
  await gateway.deps.db.updateTable('reminder_settings').set({ active: false }).execute();
  // Sessions do not outlast the days that pass between the tests.
  merchant = await givenMerchant(gateway, { admin: await givenAdmin(gateway) });
});
afterAll(() => gateway.stop());

const today = () => calendarDayOf(gateway.deps.clock.now());
async function advanceTo(day: string, hour: number): Promise<void> {
  const left = timeAtHour(day, hour).getTime() - gateway.deps.clock.now().getTime();
  await gateway.advance(Math.max(0, Math.ceil(left / 1000)));
}

const texts = {
  subject: 'Oi {nome}: {valor}',
  text: 'Vence em {vencimento}.\nPague aqui: {link}',
};

async function remind(fields: Partial<ReminderSettings> = {}, token = merchant.token) {
  const body = { active: true, days: [-2, 0, 1], ...texts, version: 0, ...fields };
  return gateway.api('PUT', '/authed/reminders', body, { token });
}

let mailNumber = 0;
async function givenCustomer(fields: Readonly<Record<string, unknown>> = {}) {
  mailNumber += 1;
  const email = `cliente-${mailNumber}@example.com`;
  const body = { name: 'Maria Souza', document: randomCpf(), email, ...fields };
  return parseSuccess(customer, await gateway.api('POST', '/customers', body, { apiKey: merchant.apiKey }));
}

async function charge(customerId: string, fields: Readonly<Record<string, unknown>> = {}) {
  const body = { amount: 100, customer_id: customerId, due_date: daysAfter(today(), 2), ...fields };
  const { apiKey } = merchant;
  return parseSuccess(createdPayment, await gateway.api('POST', '/pix/new', body, { apiKey }));
}

/** Lets reminders go out, and returns what came to an address, newest first. */
async function remindersTo(email: string | null) {
  while ((await sendReminders(gateway.deps)) > 0);
  await sendQueuedMails(gateway);
  return mailsTo(gateway, email ?? '');
}

async function pay(code: string): Promise<void> {
  await gateway.bank.pay({ brCode: code });
  await gateway.advance(5);
  await reconcilePayments(atHouse(gateway.deps));
}

const open = async (url: string, method: 'GET' | 'POST' = 'GET') => {
  // The addresses in mails name the public URL, where this gateway does not listen.
  const answer = await request(`${gateway.url}${new URL(url).pathname}`, { method });
  return { status: answer.statusCode, html: await answer.body.text() };
};
const urlsIn = (text: string) => [...text.matchAll(/http\S+/g)].map(([url]) => url);

async function archive({ id, name, document, email, version }: Customer, archived: boolean): Promise<void> {
  const body = { name, document, email, version, archived };
  parseSuccess(customer, await gateway.api('PUT', `/customers/${id}`, body, { apiKey: merchant.apiKey }));
}

test('whoever stopped the reminders of a merchant gets none as another customer with the same address', async () => {
  await remind();
  const first = await givenCustomer();
  await charge(first.id);
  const [mail] = await remindersTo(first.email);
  const stop = urlsIn(mail?.text ?? '').find((url) => url.includes('/lembretes/')) ?? '';
  await open(`${stop}/parar`, 'POST');
  await archive(first, true);
  const again = await givenCustomer({ document: first.document, email: first.email?.toUpperCase() });
  const other = await givenCustomer({ email: first.email });
  await charge(again.id);
  await charge(other.id);
  expect(await remindersTo(first.email)).toHaveLength(1);
  expect(await remindersTo(again.email)).toHaveLength(0);
  await open(`${stop}/receber`, 'POST');
  expect(await remindersTo(first.email)).toHaveLength(2);
});

describe('reminders', () => {
  test('are off until the merchant switches them on', async () => {
    const { email, id } = await givenCustomer();
    await charge(id);
    const read = await gateway.api('GET', '/authed/reminders', undefined, { token: merchant.token });
    expect(parseSuccess(reminderSettings, read)).toMatchObject({ active: false, version: 0 });
    expect(await remindersTo(email)).toEqual([]);
  });

  test('are saved with the words with which every account begins', async () => {
    const { token } = merchant;
    const settings = (await gateway.api('GET', '/authed/reminders', undefined, { token })).body;
    const saved = await gateway.api('PUT', '/authed/reminders', settings, { token });
    expect(parseSuccess(reminderSettings, saved)).toEqual({ ...Object(settings), version: 1 });
  });

  test('come once on each chosen day, with the amount of that day', async () => {
    await remind({ days: [-2, 0, 3] });
    const { email, id } = await givenCustomer();
    const made = await charge(id, { fine: { type: 'amount', value: 2 } });
    await remindersTo(email);
    const [first, ...others] = await remindersTo(email);
    expect(others).toEqual([]);
    const dueDate = daysAfter(today(), 2).split('-').reverse().join('/');
    expect(first).toMatchObject({ subject: 'Oi Maria Souza: R$\u00a0100,00' });
    expect(first?.text).toContain(`Vence em ${dueDate}.\nPague aqui: ${made.checkout_url}`);
    for (let day = 0; day < 6; day += 1) {
      await advanceTo(daysAfter(today(), 1), 12);
      await remindersTo(email);
    }
    expect((await remindersTo(email)).map(({ subject }) => subject)).toEqual([
      'Oi Maria Souza: R$\u00a0102,00',
      'Oi Maria Souza: R$\u00a0100,00',
      'Oi Maria Souza: R$\u00a0100,00',
    ]);
  });

  test('make no link of what a customer is called', async () => {
    await remind();
    const { email, id } = await givenCustomer({ name: 'Ganhe em golpe.site/x https://golpe' });
    await charge(id);
    const [mail] = await remindersTo(email);
    expect(mail?.subject).toContain('Oi Ganhe em golpe site x https golpe:');
  });

  test('come once, whichever of several processes writes them', async () => {
    await remind();
    const { email, id } = await givenCustomer();
    await charge(id);
    await Promise.all(Array.from({ length: 6 }, () => sendReminders(gateway.deps)));
    expect(await remindersTo(email)).toHaveLength(1);
  });

  test('come by day, and what the mail server did not take by the evening is dropped', async () => {
    await remind();
    const { email, id } = await givenCustomer();
    await charge(id, { due_date: daysAfter(today(), 3) });
    await advanceTo(daysAfter(today(), 1), 7.9);
    expect(await sendReminders(gateway.deps)).toBe(0);
    await advanceTo(today(), 8);
    expect(await sendReminders(gateway.deps)).toBe(1);
    await advanceTo(today(), 20);
    expect(await remindersTo(email)).toEqual([]);
    const late = await charge(id, { due_date: daysAfter(today(), 2) });
    expect([late.status, await sendReminders(gateway.deps)]).toEqual(['pending', 0]);
  });

  test.each(['paid', 'cancelled', 'stopped'] as const)('do not come once it is %s', async (how) => {
    await remind();
    const given = await givenCustomer();
    const end = async ({ id, content }: { readonly id: string; readonly content: string }) => {
      if (how === 'paid') await pay(content);
      else if (how === 'cancelled') await gateway.api('POST', `/pix/${id}/cancel`, undefined, merchant);
      else await stop(given.id);
    };
    // The reminder is written, and its charge ends before the mail leaves.
    const written = await charge(given.id);
    expect(await sendReminders(gateway.deps)).toBe(1);
    await end(written);
    await sendMails(gateway.deps);
    // Nothing is written of a charge that ended before.
    await end(await charge(given.id));
    expect(await remindersTo(given.email)).toEqual([]);
  });

  test('do not come while the customer is archived', async () => {
    await remind();
    const given = await givenCustomer();
    await charge(given.id);
    expect(await sendReminders(gateway.deps)).toBe(1);
    await charge(given.id);
    await archive(given, true);
    expect(await sendReminders(gateway.deps)).toBe(0);
    expect(await remindersTo(given.email)).toEqual([]);
  });

  async function stop(id: string) {
    const row = await gateway.deps.db
      .selectFrom('customers')
      .select('stop_token')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await open(`${gateway.url}/lembretes/${row.stop_token}/parar`, 'POST');
  }

  test('of one account that fail do not hold up those of others', async () => {
    const failing = merchant;
    await remind();
    await charge((await givenCustomer()).id);
    merchant = await givenMerchant(gateway, { admin: await givenAdmin(gateway) });
    await remind();
    const { email, id } = await givenCustomer();
    await charge(id);
    const endFailure = await failOnRow(gateway, 'charge_reminders', `new.merchant_id = ${failing.id}`);
    expect(await remindersTo(email)).toHaveLength(1);
    await endFailure();
    expect(await sendReminders(gateway.deps)).toBe(1);
  });

  test('beyond the limit of a day are not sent, and the merchant is told so once', async () => {
    await remind();
    const { db, clock } = gateway.deps;
    const sentBefore = Array.from({ length: REMINDER_LIMITS.perDay - 1 }, () => ({
      merchant_id: merchant.id,
      charge_id: randomUUID(),
      day: today(),
      customer_id: randomUUID(),
      created_at: clock.now(),
    }));
    await db.insertInto('charge_reminders').values(sentBefore).execute();
    const { id } = await givenCustomer();
    for (let count = 0; count < 2; count += 1) await charge(id);
    expect([await sendReminders(gateway.deps), await sendReminders(gateway.deps)]).toEqual([1, 0]);
    const told = await db
      .selectFrom('notifications')
      .select('title')
      .where('merchant_id', '=', merchant.id)
      .where('title', 'like', '%lembretes%')
      .execute();
    expect(told).toEqual([{ title: 'Nem todos os lembretes saíram hoje' }]);
  });

  test('go to no customer without a mail, and about no charge without a customer', async () => {
    await remind();
    const given = await givenCustomer({ email: null });
    await charge(given.id);
    await gateway.api(
      'POST',
      '/pix/new',
      {
        amount: 10,
        due_date: daysAfter(today(), 2),
        payer: { name: 'Rui Melo', document: randomCpf() },
      },
      { apiKey: merchant.apiKey },
    );
    expect(await sendReminders(gateway.deps)).toBe(0);
  });

  test.each([
    { days: [] },
    { days: [0, 0] },
    { days: [1, 2, 3, 4, 5, 6] },
    { days: [31] },
    { text: 'Pague em https://golpe.example' },
    { text: 'Pague em golpe.com' },
    { text: 'Pague {tudo}' },
    { subject: 'Oi\r\nBcc: alguem' },
    { subject: 'Oi\u202e' },
  ])('refuse the settings %j', async (fields) => {
    expect(errorEnvelope.parse((await remind(fields)).body).error.code).toBe('INVALID_BODY');
  });

  test('are changed by owner and operator, not over a change that was not seen', async () => {
    const { token } = await givenMember(gateway, merchant.id, 'operator');
    expect(parseSuccess(reminderSettings, await remind({}, token))).toMatchObject({ version: 1 });
    expect(errorEnvelope.parse((await remind()).body).error.code).toBe('STALE_VERSION');
    const changed = await remind({ version: 1, days: [3, -1] });
    expect(parseSuccess(reminderSettings, changed)).toMatchObject({ days: [-1, 3], version: 2 });
  });
});

describe('the links in a reminder', () => {
  test('lead to the charge, to all that is open, and to stopping, which only a press does', async () => {
    await remind();
    const given = await givenCustomer();
    const made = await charge(given.id);
    const [mail] = await remindersTo(given.email);
    const [chargeUrl, pageUrl, stopUrl = ''] = urlsIn(mail?.text ?? '');
    expect([chargeUrl, pageUrl]).toEqual([made.checkout_url, given.page_url]);
    const asked = await open(stopUrl);
    expect(asked.status).toBe(200);
    for (const secret of [given.name, given.document, given.email ?? '', made.checkout_url])
      expect(asked.html).not.toContain(secret);
    expect(await stoppedAt(given.id)).toBeNull();
    expect((await open(`${stopUrl}/parar`, 'POST')).status).toBe(303);
    expect(await stoppedAt(given.id)).not.toBeNull();
    expect((await open(stopUrl)).html).toContain('Lembretes parados');
    await open(`${stopUrl}/receber`, 'POST');
    expect(await stoppedAt(given.id)).toBeNull();
  });

  async function stoppedAt(id: string) {
    const answer = await gateway.api('GET', `/customers/${id}`, undefined, { apiKey: merchant.apiKey });
    return parseSuccess(getCustomer.response, answer).reminders_stopped_at;
  }
});

describe('the customer’s page', () => {
  test('shows what is open at today’s amount and what was paid, of this customer alone, without documents', async () => {
    const given = await givenCustomer();
    const stranger = await givenCustomer({ name: 'Outro Cliente' });
    const foreign = await charge(stranger.id, { amount: 77 });
    const fine = { type: 'amount', value: 2 };
    const overdue = await charge(given.id, { due_date: today(), fine, description: 'Mensalidade' });
    await advanceTo(daysAfter(today(), 6), 12);
    const fresh = await charge(given.id, { amount: 30, due_date: daysAfter(today(), 9) });
    const paid = await charge(given.id, { amount: 45 });
    const cancelled = await charge(given.id, { amount: 61 });
    await gateway.api('POST', `/pix/${cancelled.id}/cancel`, undefined, { apiKey: merchant.apiKey });
    await pay(paid.content);
    const { status, html } = await open(given.page_url ?? '');
    expect(status).toBe(200);
    for (const part of ['Maria Souza', '102,00', '132,00', 'Mensalidade', 'Venceu em', 'Pago nos últimos'])
      expect(html).toContain(part);
    for (const { checkout_url } of [overdue, fresh]) expect(html).toContain(new URL(checkout_url).pathname);
    expect(html).toContain(new URL(paid.checkout_url).pathname.replace('/pagar/', '/comprovante/'));
    const hidden = [given.document, given.document.replace(/\D/g, ''), 'cliente-', '61,00', '77,00'];
    for (const part of [...hidden, new URL(foreign.checkout_url).pathname]) expect(html).not.toContain(part);
  });

  test('is closed while the customer is archived', async () => {
    const given = await givenCustomer();
    await archive(given, true);
    expect((await open(given.page_url ?? '')).status).toBe(404);
    await archive({ ...given, version: 2 }, false);
    expect((await open(given.page_url ?? '')).status).toBe(200);
  });

  test('has one address, which ends when it is exchanged, and no other leads there', async () => {
    const given = await givenCustomer();
    const address = given.page_url ?? '';
    const { apiKey } = merchant;
    await gateway.api('POST', `/customers/${given.id}/renew-page`, undefined, { apiKey });
    const row = await gateway.deps.db
      .selectFrom('customers')
      .select('stop_token')
      .where('id', '=', given.id)
      .executeTakeFirstOrThrow();
    for (const url of [
      address,
      address.slice(0, -1),
      `${gateway.url}/c/${row.stop_token}`,
      `${gateway.url}/c`,
    ])
      expect([url, (await open(url)).status]).toEqual([url, 404]);
  });
});
