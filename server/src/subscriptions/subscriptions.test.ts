import {
  createSubscription,
  listCycles,
  type Subscription,
  subscription as subscriptionSchema,
} from '@jangada/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { type GivenMerchant, givenAdmin, givenMerchant, parseSuccess } from '../../test/given.ts';
import { timeAtHour } from '../calendar-day.ts';
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
