import {
  chargeCycle,
  createSubscription,
  listCycles,
  type Subscription,
  subscription as subscriptionSchema,
} from '@jangada/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { type GivenMerchant, givenAdmin, givenMerchant, parseSuccess } from '../../test/given.ts';
import { calendarDayOf, daysAfter, timeAtHour } from '../calendar-day.ts';
import { auditLedger } from '../ledger/index.ts';
import { reconcilePayments } from '../payments/reconcile-payments.ts';
import { atHouse } from '../psp/index.ts';
import { planCycles } from './plan-cycles.ts';
import { takeHints } from './take-hints.ts';
import { workCycles } from './work-cycles.ts';
import { workMandates } from './work-mandates.ts';

let gateway: TestGateway;
let merchant: GivenMerchant;

beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
  await goTo('2027-02-22', 12);
  merchant = await givenMerchant(gateway, { admin: await givenAdmin(gateway) });
});
afterAll(async () => {
  expect(await auditLedger(gateway.deps.db)).toEqual([]);
  await gateway.stop();
});

/** Moves the clocks of gateway and bank, an hour at a time with all work in each, as it would be done in the background. */
async function goTo(day: string, hour: number): Promise<void> {
  const target = timeAtHour(day, hour).getTime();
  for (;;) {
    const leftSeconds = Math.ceil((target - gateway.deps.clock.now().getTime()) / 1000);
    if (leftSeconds <= 0) return;
    await gateway.advance(Math.min(leftSeconds, 3600 * (merchant === undefined ? 24 : 4)));
    await work();
  }
}

async function work(): Promise<void> {
  if (merchant === undefined) return;
  await reconcilePayments(atHouse(gateway.deps));
  for (let round = 0; round < 20; round += 1) {
    const counts = [
      await takeHints(gateway.deps),
      await workMandates(gateway.deps),
      await planCycles(gateway.deps),
      await workCycles(gateway.deps),
    ];
    if (counts.every((count) => count === 0)) return;
  }
}

const payer = { name: 'Ana Souza', document: '529.982.247-25' };
const monthly = {
  payer,
  description: 'Mensalidade',
  amount: 99.9,
  period: 'monthly',
  first_day: '2027-03-10',
  authorization: 'code',
};
const key = () => ({ apiKey: merchant.apiKey });

async function givenSubscription(fields: Readonly<Record<string, unknown>> = {}): Promise<Subscription> {
  const response = await gateway.api('POST', '/subscriptions', { ...monthly, ...fields }, key());
  return parseSuccess(createSubscription.response, response);
}
const read = async ({ id }: { readonly id: string }) =>
  parseSuccess(subscriptionSchema, await gateway.api('GET', `/subscriptions/${id}`, undefined, key()));
const cyclesOf = async ({ id }: { readonly id: string }) =>
  parseSuccess(listCycles.response, await gateway.api('GET', `/subscriptions/${id}/cycles`, undefined, key()))
    .data;

/** The payer's app reads the code and allows the debits. */
async function allow({ code }: Subscription, more: object = {}): Promise<void> {
  await gateway.bank.control('POST', '/sandbox/recs', { brCode: code, ...more });
  await gateway.advance(60);
  await work();
}

test('a payer allows the debits by a code, and each month is debited', async () => {
  const created = await givenSubscription();
  expect(created).toMatchObject({ status: 'waiting', mandate: { status: 'created' } });
  expect(created.code).toMatch(/^000201/);
  await allow(created);
  expect(await read(created)).toMatchObject({
    status: 'active',
    mandate: { status: 'approved', allowed_by: 'code' },
  });
  await goTo('2027-03-05', 12);
  expect(await cyclesOf(created)).toMatchObject([
    { number: 1, status: 'scheduled', due_day: '2027-03-10', debit_day: '2027-03-10', amount: 99.9 },
  ]);
  await goTo('2027-03-10', 12);
  expect(await cyclesOf(created)).toMatchObject([
    { number: 1, status: 'paid', attempts: [{ day: '2027-03-10', status: 'paid', retry: false }] },
  ]);
  await goTo('2027-04-12', 12);
  const [second, first] = await cyclesOf(created);
  expect([second?.status, first?.status]).toEqual(['paid', 'paid']);
});

const recOf = async ({ id }: Subscription) => {
  const { id_rec } = await gateway.deps.db
    .selectFrom('mandates')
    .select('id_rec')
    .where('subscription_id', '=', id)
    .executeTakeFirstOrThrow();
  return `/sandbox/recs/${id_rec}`;
};

/** The debits that the bank has made or tried for a subscription, from the first to the last. */
const debitsAtBank = async (subscription: Subscription) => {
  const { charges } = bankMandate.parse(await gateway.bank.control('GET', await recOf(subscription)));
  return charges.toSorted((left, right) => left.dueDate.localeCompare(right.dueDate));
};
const bankMandate = z.object({
  status: z.string(),
  charges: z.array(
    z.object({
      status: z.string(),
      dueDate: z.string(),
      attempts: z.array(z.object({ day: z.string(), kind: z.string(), status: z.string() })),
    }),
  ),
});

/** Asks for a code for the first cycle: its text, or undefined if the call is to be repeated. */
async function codeForFirstCycle({ id }: Subscription): Promise<string | undefined> {
  const response = await gateway.api('POST', `/subscriptions/${id}/cycles/1/charge`, {}, key());
  if (response.status === 500) return undefined;
  const { other_payment_id } = parseSuccess(chargeCycle.response, response);
  const charge = await gateway.deps.db
    .selectFrom('charges')
    .select('br_code')
    .where('id', '=', other_payment_id)
    .executeTakeFirstOrThrow();
  return charge.br_code;
}

const creditedCents = async ({ id }: Subscription) => {
  const rows = await gateway.deps.db
    .selectFrom('charges')
    .innerJoin('received_pix', (join) =>
      join
        .onRef('received_pix.merchant_id', '=', 'charges.merchant_id')
        .onRef('received_pix.charge_id', '=', 'charges.id'),
    )
    .select('received_pix.amount_cents')
    .where('charges.subscription_id', '=', id)
    .execute();
  return rows.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
};

/** A subscription whose payer has allowed the debits, with its first cycle sent to the bank. */
async function givenScheduled(fields: Readonly<Record<string, unknown>> = {}): Promise<Subscription> {
  const today = calendarDayOf(gateway.deps.clock.now());
  const created = await givenSubscription({ first_day: daysAfter(today, 14), ...fields });
  await allow(created);
  await goTo(daysAfter(today, 10), 12);
  expect(await cyclesOf(created)).toMatchObject([{ number: 1, status: 'scheduled' }]);
  return read(created);
}
const firstDebitDay = async (subscription: Subscription) =>
  (await cyclesOf(subscription)).at(-1)?.debit_day ?? '';

test('a payer without money on the day is debited on the next day of the plan, and once', async () => {
  const subscription = await givenScheduled({ retry_days: [2, 5] });
  const day = await firstDebitDay(subscription);
  const debits = `${await recOf(subscription)}/debits`;
  await gateway.bank.control('PUT', debits, { funds: [{ fromHour: 0, amount: 0 }] });
  await goTo(daysAfter(day, 1), 0);
  await gateway.bank.control('PUT', debits, { funds: [] });
  await goTo(daysAfter(day, 7), 12);
  const [cycle] = await cyclesOf(subscription);
  expect(cycle).toMatchObject({ status: 'paid' });
  expect(cycle?.attempts.map(({ status, retry }) => [status, retry])).toEqual([
    ['expired', false],
    ['paid', true],
  ]);
  expect(await creditedCents(subscription)).toBe(9990);
});

test('a cycle that no retry brings in is given up with the reason, and a code brings the subscription back', async () => {
  const subscription = await givenScheduled({ retry_days: [2] });
  const day = await firstDebitDay(subscription);
  await gateway.bank.control('PUT', `${await recOf(subscription)}/debits`, {
    funds: [{ fromHour: 0, amount: 0 }],
  });
  await goTo(daysAfter(day, 8), 12);
  expect((await cyclesOf(subscription)).at(-1)).toMatchObject({
    status: 'given_up',
    reason: 'no_retries_left',
    attempts: [
      { status: 'expired', retry: false },
      { status: 'expired', retry: true },
    ],
  });
  expect(await read(subscription)).toMatchObject({ status: 'past_due' });
  await gateway.bank.pay({ brCode: await codeForFirstCycle(subscription) });
  await gateway.advance(60);
  await work();
  expect((await cyclesOf(subscription)).at(-1)).toMatchObject({ status: 'paid' });
  expect(await read(subscription)).toMatchObject({ status: 'active' });
});

test('calls that ask at once for a code for a cycle get the same one, and its payment takes the debit back', async () => {
  const subscription = await givenScheduled();
  const together = await Promise.all(Array.from({ length: 8 }, () => codeForFirstCycle(subscription)));
  // Some are told to try again, and get it then.
  const code = await codeForFirstCycle(subscription);
  const codes = new Set([...together.filter((text) => text !== undefined), code]);
  expect([...codes]).toEqual([expect.stringMatching(/^000201/)]);
  const charges = await gateway.deps.db
    .selectFrom('charges')
    .select('id')
    .where('subscription_id', '=', subscription.id)
    .execute();
  // The debit and the code.
  expect(charges).toHaveLength(2);
  await gateway.bank.pay({ brCode: code });
  await goTo(daysAfter(await firstDebitDay(subscription), 2), 12);
  expect((await cyclesOf(subscription)).at(-1)).toMatchObject({ status: 'paid', reason: 'paid_otherwise' });
  expect(await debitsAtBank(subscription)).toMatchObject([{ status: 'CANCELADA' }]);
  expect(await creditedCents(subscription)).toBe(9990);
});

test('a debit that could not be taken back in time, although its cycle was paid by a code, is given back', async () => {
  const subscription = await givenScheduled();
  await gateway.bank.pay({ brCode: await codeForFirstCycle(subscription) });
  const day = await firstDebitDay(subscription);
  // The gateway does nothing until the debit is made, as if it had been down.
  const seconds = (timeAtHour(day, 12).getTime() - gateway.deps.clock.now().getTime()) / 1000;
  await gateway.advance(seconds);
  await goTo(daysAfter(day, 1), 12);
  expect((await cyclesOf(subscription)).at(-1)).toMatchObject({ status: 'paid' });
  expect(await debitsAtBank(subscription)).toMatchObject([{ attempts: [{ status: 'PAGA' }] }]);
  const refunds = await gateway.deps.db
    .selectFrom('refunds')
    .innerJoin('charges', 'charges.id', 'refunds.charge_id')
    .select('refunds.amount_cents')
    .where('charges.subscription_id', '=', subscription.id)
    .execute();
  expect(refunds).toEqual([{ amount_cents: 9990 }]);
});

test('a subscription that the merchant ends is debited no more, and ends at the bank', async () => {
  const subscription = await givenScheduled();
  const day = await firstDebitDay(subscription);
  await gateway.api('POST', `/subscriptions/${subscription.id}/cancel`, {}, key());
  await goTo(daysAfter(day, 2), 12);
  expect(await cyclesOf(subscription)).toMatchObject([
    { number: 1, status: 'cancelled', reason: 'subscription_ended' },
  ]);
  expect(await gateway.bank.control('GET', await recOf(subscription))).toMatchObject({
    status: 'CANCELADA',
    charges: [{ status: 'CANCELADA' }],
  });
  expect(await creditedCents(subscription)).toBe(0);
});

test('a payer who ends the permission at their bank ends the subscription', async () => {
  const subscription = await givenScheduled();
  const day = await firstDebitDay(subscription);
  await gateway.bank.control('POST', `${await recOf(subscription)}/cancellation`, { by: 'USUARIO_PAGADOR' });
  await goTo(daysAfter(day, 2), 12);
  expect(await read(subscription)).toMatchObject({ status: 'ended', end: 'by_payer' });
  expect((await cyclesOf(subscription)).map(({ status }) => status)).toEqual(['cancelled']);
  expect(await creditedCents(subscription)).toBe(0);
});

test('who pays and allows at once pays one first charge, however often the making is tried', async () => {
  await gateway.bank.setBehaviour({ charges: 'down' });
  const first_payment = { amount: 30 };
  const created = await givenSubscription({
    authorization: 'pay',
    first_payment,
    first_day: daysAfter(calendarDayOf(gateway.deps.clock.now()), 20),
  });
  expect(created.code).toBe(null);
  await gateway.bank.setBehaviour({});
  await gateway.advance(600);
  await work();
  const { code } = await read(created);
  expect(code).toMatch(/^000201/);
  const made = await gateway.deps.db
    .selectFrom('charges')
    .select(['id', 'status', 'amount_cents'])
    .where('subscription_id', '=', created.id)
    .execute();
  expect(made.filter(({ status }) => status === 'pending')).toMatchObject([{ amount_cents: 3000 }]);
});
