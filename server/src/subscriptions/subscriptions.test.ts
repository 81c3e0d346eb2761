import type { Subscription } from '@jangada/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { SubscriptionStand } from '../../test/subscription-stand.ts';
import { daysAfter, timeAtHour } from '../calendar-day.ts';
import { auditLedger } from '../ledger/index.ts';

let stand: SubscriptionStand;

beforeAll(async () => {
  stand = await SubscriptionStand.start();
});
afterAll(async () => {
  expect(await auditLedger(stand.db)).toEqual([]);
  await stand.gateway.stop();
});

test('a payer allows the debits by a code, and each month is debited', async () => {
  const created = await stand.given();
  expect(created).toMatchObject({ status: 'waiting', mandate: { status: 'created' } });
  expect(created.code).toMatch(/^000201/);
  await stand.allow(created);
  expect(await stand.read(created)).toMatchObject({
    status: 'active',
    mandate: { status: 'approved', allowed_by: 'code' },
  });
  await stand.goTo('2027-03-05', 12);
  expect(await stand.cyclesOf(created)).toMatchObject([
    { number: 1, status: 'scheduled', due_day: '2027-03-10', debit_day: '2027-03-10', amount: 99.9 },
  ]);
  await stand.goTo('2027-03-10', 12);
  expect(await stand.cyclesOf(created)).toMatchObject([
    { number: 1, status: 'paid', attempts: [{ day: '2027-03-10', status: 'paid', retry: false }] },
  ]);
  await stand.goTo('2027-04-12', 12);
  const [second, first] = await stand.cyclesOf(created);
  expect([second?.status, first?.status]).toEqual(['paid', 'paid']);
});

/** The debits that the bank has made or tried for a subscription, from the first to the last. */
const debitsAtBank = async (subscription: Subscription) => {
  const { charges } = bankMandate.parse(
    await stand.gateway.bank.control('GET', await stand.recOf(subscription)),
  );
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

test('a payer without money on the day is debited on the next day of the plan, and once', async () => {
  const subscription = await stand.givenScheduled({ retry_days: [2, 5] });
  const day = await stand.firstDebitDay(subscription);
  const debits = `${await stand.recOf(subscription)}/debits`;
  await stand.gateway.bank.control('PUT', debits, { funds: [{ fromHour: 0, amount: 0 }] });
  await stand.goTo(daysAfter(day, 1), 0);
  await stand.gateway.bank.control('PUT', debits, { funds: [] });
  await stand.goTo(daysAfter(day, 1), 12);
  const retryDay = (await stand.cyclesOf(subscription))[0]?.attempts.find(({ retry }) => retry)?.day;
  expect(retryDay).toBe(daysAfter(day, 2));
  expect(await stand.read(subscription)).toMatchObject({ next_debit_day: retryDay });
  await stand.goTo(daysAfter(day, 7), 12);
  const [cycle] = await stand.cyclesOf(subscription);
  expect(cycle).toMatchObject({ status: 'paid' });
  expect(cycle?.attempts.map(({ status, retry }) => [status, retry])).toEqual([
    ['expired', false],
    ['paid', true],
  ]);
  expect(await stand.creditedCents(subscription)).toBe(9990);
});

test('a cycle that no retry brings in is given up with the reason, and a code brings the subscription back', async () => {
  const subscription = await stand.givenScheduled({ retry_days: [2] });
  const day = await stand.firstDebitDay(subscription);
  await stand.gateway.bank.control('PUT', `${await stand.recOf(subscription)}/debits`, {
    funds: [{ fromHour: 0, amount: 0 }],
  });
  await stand.goTo(daysAfter(day, 8), 12);
  expect((await stand.cyclesOf(subscription)).at(-1)).toMatchObject({
    status: 'given_up',
    reason: 'no_retries_left',
    attempts: [
      { status: 'expired', retry: false },
      { status: 'expired', retry: true },
    ],
  });
  expect(await stand.read(subscription)).toMatchObject({ status: 'past_due' });
  await stand.gateway.bank.pay({ brCode: await stand.codeForFirstCycle(subscription) });
  await stand.gateway.advance(60);
  await stand.work();
  expect((await stand.cyclesOf(subscription)).at(-1)).toMatchObject({ status: 'paid' });
  expect(await stand.read(subscription)).toMatchObject({ status: 'active' });
});

test('calls that ask at once for a code for a cycle get the same one, and its payment takes the debit back', async () => {
  const subscription = await stand.givenScheduled();
  const together = await Promise.all(Array.from({ length: 8 }, () => stand.codeForFirstCycle(subscription)));
  // Some are told to try again, and get it then.
  const code = await stand.codeForFirstCycle(subscription);
  const codes = new Set([...together.filter((text) => text !== undefined), code]);
  expect([...codes]).toEqual([expect.stringMatching(/^000201/)]);
  const charges = await stand.gateway.deps.db
    .selectFrom('charges')
    .select('id')
    .where('subscription_id', '=', subscription.id)
    .execute();
  // The debit and the code.
  expect(charges).toHaveLength(2);
  await stand.gateway.bank.pay({ brCode: code });
  await stand.goTo(daysAfter(await stand.firstDebitDay(subscription), 2), 12);
  expect((await stand.cyclesOf(subscription)).at(-1)).toMatchObject({
    status: 'paid',
    reason: 'paid_otherwise',
  });
  expect(await debitsAtBank(subscription)).toMatchObject([{ status: 'CANCELADA' }]);
  expect(await stand.creditedCents(subscription)).toBe(9990);
});

test('a debit that could not be taken back in time, although its cycle was paid by a code, is given back', async () => {
  const subscription = await stand.givenScheduled();
  const brCode = await stand.codeForFirstCycle(subscription);
  await stand.gateway.bank.pay({ brCode });
  const day = await stand.firstDebitDay(subscription);
  // The gateway does nothing until the debit is made, as if it had been down.
  const seconds = (timeAtHour(day, 12).getTime() - stand.gateway.deps.clock.now().getTime()) / 1000;
  await stand.gateway.advance(seconds);
  await stand.goTo(daysAfter(day, 1), 12);
  expect((await stand.cyclesOf(subscription)).at(-1)).toMatchObject({ status: 'paid' });
  expect(await debitsAtBank(subscription)).toMatchObject([{ attempts: [{ status: 'PAGA' }] }]);
  const refunds = await stand.gateway.deps.db
    .selectFrom('refunds')
    .innerJoin('charges', 'charges.id', 'refunds.charge_id')
    .select('refunds.amount_cents')
    .where('charges.subscription_id', '=', subscription.id)
    .execute();
  expect(refunds).toEqual([{ amount_cents: 9990 }]);
  // The payment that stays is the one of the code.
  const kept = (await stand.chargesOf(subscription)).find(({ br_code }) => br_code === brCode);
  expect(await stand.paidEventsOf(subscription)).toMatchObject([
    { cycle: { number: 1, status: 'paid', payment_id: kept?.id } },
  ]);
});

test('a subscription that the merchant ends is debited no more, and ends at the bank', async () => {
  const subscription = await stand.givenScheduled();
  const day = await stand.firstDebitDay(subscription);
  await stand.call('POST', `/subscriptions/${subscription.id}/cancel`, {});
  await stand.goTo(daysAfter(day, 2), 12);
  expect(await stand.cyclesOf(subscription)).toMatchObject([
    { number: 1, status: 'cancelled', reason: 'subscription_ended' },
  ]);
  expect(await stand.gateway.bank.control('GET', await stand.recOf(subscription))).toMatchObject({
    status: 'CANCELADA',
    charges: [{ status: 'CANCELADA' }],
  });
  expect(await stand.creditedCents(subscription)).toBe(0);
});

test('a payer who ends the permission at their bank ends the subscription', async () => {
  const subscription = await stand.givenScheduled();
  const day = await stand.firstDebitDay(subscription);
  await stand.gateway.bank.control('POST', `${await stand.recOf(subscription)}/cancellation`, {
    by: 'USUARIO_PAGADOR',
  });
  await stand.goTo(daysAfter(day, 2), 12);
  expect(await stand.read(subscription)).toMatchObject({ status: 'ended', end: 'by_payer' });
  expect((await stand.cyclesOf(subscription)).map(({ status }) => status)).toEqual(['cancelled']);
  expect(await stand.creditedCents(subscription)).toBe(0);
});

test('who pays and allows at once pays one first charge, however often the making is tried', async () => {
  await stand.gateway.bank.setBehaviour({ charges: 'down' });
  const first_payment = { amount: 30 };
  const created = await stand.given({
    authorization: 'pay',
    first_payment,
    first_day: daysAfter(stand.today(), 20),
  });
  expect(created.code).toBe(null);
  await stand.gateway.bank.setBehaviour({});
  await stand.gateway.advance(600);
  await stand.work();
  const { code } = await stand.read(created);
  expect(code).toMatch(/^000201/);
  const made = await stand.gateway.deps.db
    .selectFrom('charges')
    .select(['id', 'status', 'amount_cents'])
    .where('subscription_id', '=', created.id)
    .execute();
  expect(made.filter(({ status }) => status === 'pending')).toMatchObject([{ amount_cents: 3000 }]);
});
