import {
  customer as customerSchema,
  errorEnvelope,
  listPayments,
  listSubscriptions,
  subscription as subscriptionSchema,
} from '@jangada/contract';
import { rollToBusinessDay } from '@jangada/pix';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { type GivenMerchant, givenAdmin, givenMerchant, parseSuccess } from '../../test/given.ts';
import { givenMember } from '../../test/given-member.ts';
import { workOnSubscriptions } from '../../test/given-subscription.ts';
import { randomCpf } from '../../test/random-cpf.ts';
import { calendarDayOf, daysAfter } from '../calendar-day.ts';
import { readCustomerSubscriptions } from './customer-subscriptions.ts';

let gateway: TestGateway;
let merchant: GivenMerchant;
let other: GivenMerchant;
beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
  const admin = await givenAdmin(gateway);
  merchant = await givenMerchant(gateway, { admin });
  other = await givenMerchant(gateway, { admin });
});
afterAll(() => gateway.stop());

async function givenCustomer(fields: object = {}, owner = merchant) {
  const body = { name: 'Ana Souza', document: randomCpf(), ...fields };
  const { apiKey } = owner;
  return parseSuccess(customerSchema, await gateway.api('POST', '/customers', body, { apiKey }));
}

const create = (fields: object, { apiKey } = merchant) =>
  gateway.api(
    'POST',
    '/subscriptions',
    {
      description: 'Mensalidade',
      amount: 50,
      period: 'monthly',
      first_day: daysAfter(calendarDayOf(gateway.deps.clock.now()), 9),
      authorization: 'code',
      ...fields,
    },
    { apiKey },
  );
const given = async (fields: object) => parseSuccess(subscriptionSchema, await create(fields));

test('a subscription for a registered customer has their name and document, and is found by them', async () => {
  const ana = await givenCustomer();
  const made = await given({ customer_id: ana.id });
  expect(made).toMatchObject({
    customer_id: ana.id,
    payer: { name: ana.name, document: ana.document },
  });
  await given({ payer: { name: 'Bruno Lima', document: randomCpf() } });
  const answer = await gateway.api('GET', `/subscriptions?customer_id=${ana.id}`, undefined, {
    apiKey: merchant.apiKey,
  });
  expect(parseSuccess(listSubscriptions.response, answer).data.map(({ id }) => id)).toEqual([made.id]);
});

test('a subscription names a payer or a customer of the own register, and only one of the two', async () => {
  const ana = await givenCustomer();
  const payer = { name: 'Ana Souza', document: randomCpf() };
  const foreign = await givenCustomer({}, other);
  const archived = await givenCustomer();
  await gateway.api(
    'PUT',
    `/customers/${archived.id}`,
    { name: archived.name, document: archived.document, archived: true, version: archived.version },
    { apiKey: merchant.apiKey },
  );
  const codes = [];
  for (const fields of [
    {},
    { payer, customer_id: ana.id },
    { customer_id: foreign.id },
    { customer_id: archived.id },
  ])
    codes.push(errorEnvelope.parse((await create(fields)).body).error.code);
  expect(codes).toEqual([
    'SUBSCRIPTION_INVALID',
    'SUBSCRIPTION_INVALID',
    'CUSTOMER_NOT_FOUND',
    'CUSTOMER_ARCHIVED',
  ]);
});

test('a member who does not see documents of customers does not see them on subscriptions either', async () => {
  const ana = await givenCustomer();
  const made = await given({ customer_id: ana.id });
  const { token } = await givenMember(gateway, merchant.id, 'cashier');
  const answer = await gateway.api('POST', '/subscriptions', bodyFor(ana.id), { token });
  expect(JSON.stringify(answer.body)).not.toContain(ana.document);
  const { token: operator } = await givenMember(gateway, merchant.id, 'operator');
  const seen = await gateway.api('GET', `/subscriptions/${made.id}`, undefined, { token: operator });
  expect(parseSuccess(subscriptionSchema, seen).payer.document).toBe(ana.document);
});

const bodyFor = (customerId: string) => ({
  customer_id: customerId,
  description: 'Mensalidade',
  amount: 50,
  period: 'monthly',
  first_day: daysAfter(calendarDayOf(gateway.deps.clock.now()), 9),
  authorization: 'code',
});

test('the customer’s page lists what they allow or are asked to allow, and not what ended', async () => {
  const ana = await givenCustomer();
  const waiting = await given({ customer_id: ana.id, description: 'Natação' });
  const firstDay = daysAfter(calendarDayOf(gateway.deps.clock.now()), 25);
  const allowed = await given({ customer_id: ana.id, description: 'Academia', first_day: firstDay });
  const ended = await given({ customer_id: ana.id, description: 'Pilates' });
  await gateway.bank.control('POST', '/sandbox/recs', { brCode: allowed.code });
  await gateway.api('POST', `/subscriptions/${ended.id}/cancel`, undefined, { apiKey: merchant.apiKey });
  await gateway.advance(60);
  await workOnSubscriptions(gateway);
  const key = { merchantId: merchant.id, customerId: ana.id };
  const shown = await readCustomerSubscriptions(gateway.deps.db, key);
  // Its first cycle is not planned yet.
  const nextDay = rollToBusinessDay(firstDay);
  expect(shown).toMatchObject([
    { description: 'Academia', state: 'allowed', amountCents: 5000, nextDay },
    { description: 'Natação', state: 'waiting', nextDay: null },
  ]);
  expect(waiting.page_url).toMatch(new RegExp(`/autorizar/${shown[1]?.id}$`));
});

test('a cycle that the customer pays by its code is on the customer’s page of payments', async () => {
  const ana = await givenCustomer();
  const made = await given({ customer_id: ana.id });
  await gateway.bank.control('POST', '/sandbox/recs', { brCode: made.code });
  await gateway.advance(60);
  await workOnSubscriptions(gateway);
  const { apiKey } = merchant;
  await gateway.api('POST', `/subscriptions/${made.id}/cycles/1/charge`, undefined, { apiKey });
  const charges = await gateway.api('GET', `/pix?customer_id=${ana.id}`, undefined, { apiKey });
  expect(parseSuccess(listPayments.response, charges).data).toMatchObject([{ amount: 50 }]);
});
