import {
  createdPayment,
  customer,
  type Endpoint,
  endpoints,
  type MemberRole,
  mayDo,
  subscription,
} from '@jangada/contract';
import { formatDocument, maskDocument, normalizeDocument } from '@jangada/pix';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import {
  type GivenMerchant,
  givenAdmin,
  givenCharge,
  givenMerchant,
  parseSuccess,
} from '../../test/given.ts';
import { givenHeldPix } from '../../test/given-held-pix.ts';
import { givenMember } from '../../test/given-member.ts';
import { randomCpf } from '../../test/random-cpf.ts';
import { calendarDayOf, daysAfter } from '../calendar-day.ts';

/** Of the register, and named by a charge alone. */
const registered = {
  document: formatDocument(randomCpf()),
  email: 'rita.lima@example.com',
  phone: '+5581987654321',
};
const named = { name: 'Ana Souza', document: formatDocument(randomCpf()) };

let gateway: TestGateway;
let merchant: GivenMerchant;
const people: Record<'owner' | 'support' | 'cashier', { role: MemberRole; token: string }> = {
  owner: { role: 'owner', token: '' },
  support: { role: 'accountant', token: '' },
  cashier: { role: 'cashier', token: '' },
};
type Who = keyof typeof people;
const ids = { customer: '', ofCustomer: '', ofPayer: '', due: '', subscription: '' };

beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
  merchant = await givenMerchant(gateway, { admin: await givenAdmin(gateway) });
  people.owner.token = merchant.token;
  people.cashier.token = (await givenMember(gateway, merchant.id, 'cashier')).token;
  const key = { apiKey: merchant.apiKey };
  const entered = await gateway.api('POST', '/customers', { name: 'Rita Lima', ...registered }, key);
  ids.customer = parseSuccess(customer, entered).id;
  const dueDate = daysAfter(calendarDayOf(gateway.deps.clock.now()), 9);
  // A cashier sees the charges that they made.
  const charge = async (body: Readonly<Record<string, unknown>>) => {
    const { token } = people.cashier;
    const made = await gateway.api('POST', '/pix/new', { amount: 10, ...body }, { token });
    return parseSuccess(createdPayment, made).id;
  };
  ids.ofCustomer = await charge({ customer_id: ids.customer });
  ids.ofPayer = await charge({ payer: named });
  ids.due = (await givenCharge(gateway, merchant, { payer: named, due_date: dueDate })).id;
  await givenHeldPix(gateway, merchant);
  const monthly = { period: 'monthly', authorization: 'code', description: 'Mensalidade', amount: 10 };
  const order = { ...monthly, payer: named, first_day: dueDate };
  const ordered = await gateway.api('POST', '/subscriptions', order, key);
  ids.subscription = parseSuccess(subscription, ordered).id;
  const staff = await givenAdmin(gateway);
  await gateway.deps.db.updateTable('users').set({ role: 'SUPPORT' }).where('id', '=', staff.id).execute();
  await gateway.api('POST', '/authed/support-access', { hours: 1 }, merchant);
  await gateway.api('POST', `/admin/users/${merchant.id}/look-in`, { reason: 'Chamado 4711.' }, staff);
  people.support.token = staff.token;
});
afterAll(() => gateway.stop());

/** The calls whose answers say whom something is for, or who paid, with what they say to somebody who sees it masked. */
const shown: Readonly<Record<string, () => readonly (readonly [path: string, document: string | null])[]>> = {
  getPaymentStatus: () => [
    [`/pix/status/${ids.ofCustomer}`, registered.document],
    [`/pix/status/${ids.ofPayer}`, named.document],
  ],
  listPayments: () => [
    ['/pix', named.document],
    ['/pix', registered.document],
  ],
  transactionFeed: () => [
    ['/authed/feed/transactions', named.document],
    ['/authed/feed/transactions', registered.document],
  ],
  listDueCharges: () => [
    ['/authed/due-charges', named.document],
    ['/authed/due-charges?view=undated', registered.document],
  ],
  // Banks mask the documents of payers, and those that they show are masked before they are stored.
  listHeldPix: () => [['/held-pix', null]],
  listCustomers: () => [['/customers', registered.document]],
  getCustomer: () => [[`/customers/${ids.customer}`, registered.document]],
};

const allEndpoints: readonly Endpoint[] = endpoints;
const reading = allEndpoints.filter(
  ({ method, access }) => method === 'GET' && (access === 'session' || access === 'merchant'),
);
const maySee = (who: Who) =>
  reading.filter(({ permission }) => permission !== undefined && mayDo(people[who].role, permission));

async function ask(who: Who, path: string): Promise<string> {
  const headers = { authorization: `Bearer ${people[who].token}` };
  const { statusCode, body } = await request(`${gateway.url}/api${path}`, { headers });
  return `${statusCode} ${await body.text()}`;
}

/** All that a masked answer must not contain. */
const secrets = [registered.document, named.document, '529.982.247-25']
  .flatMap((document) => [document, normalizeDocument(document)])
  .concat(registered.email, registered.phone);

test('the table names every call whose answer has documents of customers and payers', () => {
  const withDocuments = reading.filter(({ response }) =>
    /"(billed_to|payer|document)":/.test(
      JSON.stringify(z.toJSONSchema(response, { unrepresentable: 'any' })),
    ),
  );
  // The document of the person who asks, the text of an order that is to be approved, and subscriptions.
  const others = ['profile', 'getApproval', 'listSubscriptions', 'getSubscription'];
  expect(withDocuments.map(({ name }) => name).toSorted()).toEqual(
    [...Object.keys(shown), ...others].toSorted(),
  );
});

describe.each(['support', 'cashier'] as const)('a document that %s is shown', (who) => {
  test.each(Object.keys(shown))('by %s is masked', async (name) => {
    if (!maySee(who).some((endpoint) => endpoint.name === name)) return;
    for (const [path, document] of shown[name]?.() ?? []) {
      const answer = await ask(who, path);
      expect(answer).toMatch(/^200/);
      expect(secrets.filter((secret) => answer.includes(secret))).toEqual([]);
      if (document === null) continue;
      expect(answer).toContain(maskDocument(document));
      expect(await ask('owner', path)).toContain(document);
    }
  });

  test('stands in no other answer', async () => {
    const wrong: string[] = [];
    for (const { name, path } of maySee(who))
      for (const id of Object.values(ids)) {
        const answer = await ask(who, path.replace(/\{\w+\}/g, path.includes('{format}') ? 'csv' : id));
        for (const secret of secrets) if (answer.includes(secret)) wrong.push(`${name}: ${secret}`);
        if (!path.includes('{')) break;
      }
    expect(wrong).toEqual([]);
  });
});

test('a cashier who creates a charge is shown masked whom it is for', async () => {
  const { token } = people.cashier;
  for (const body of [{ payer: named }, { customer_id: ids.customer }]) {
    const { status, body: answer } = await gateway.api(
      'POST',
      '/pix/new',
      { amount: 10, ...body },
      { token },
    );
    expect(status).toBe(201);
    expect(secrets.filter((secret) => JSON.stringify(answer).includes(secret))).toEqual([]);
    expect(JSON.stringify(answer)).toContain('***.');
  }
});

describe('a search of customers', () => {
  const found = async (who: Who, search: string) =>
    (await ask(who, `/customers?search=${encodeURIComponent(search)}`)).includes(ids.customer);
  const digits = normalizeDocument(registered.document);
  const ofDocument = [registered.document, digits, digits.slice(0, 8), digits.slice(3, 9), registered.email];

  test.each(['support', 'cashier'] as const)('gives nothing masked away to %s', async (who) => {
    for (const search of [...ofDocument, 'rita.lima@', '@example'])
      expect([search, await found(who, search)]).toEqual([search, false]);
    expect(await found(who, 'rita li')).toBe(true);
  });

  test('finds by name, document and mail for somebody who sees them', async () => {
    for (const search of [...ofDocument, 'Rita', 'rita.lima@'])
      expect([search, await found('owner', search)]).toEqual([search, true]);
  });
});

describe('a search of charges and subscriptions', () => {
  const lists = [
    ['/authed/due-charges', () => ids.due],
    ['/authed/due-charges?view=undated', () => ids.ofPayer],
    ['/subscriptions', () => ids.subscription],
  ] as const;
  const found = async (who: Who, path: string, id: string, search: string) => {
    const sign = path.includes('?') ? '&' : '?';
    const answer = await ask(who, `${path}${sign}search=${encodeURIComponent(search)}`);
    expect(answer).toMatch(/^200/);
    return answer.includes(id);
  };
  const digits = normalizeDocument(named.document);

  test.each(lists)('%s tells support no document, and finds by it for who sees it', async (path, idOf) => {
    for (const search of [named.document, digits]) {
      expect(await found('support', path, idOf(), search)).toBe(false);
      expect(await found('owner', path, idOf(), search)).toBe(true);
    }
    expect(await found('support', path, idOf(), 'ana so')).toBe(true);
  });
});
