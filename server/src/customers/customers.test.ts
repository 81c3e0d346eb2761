import {
  adminAuditLog,
  type Customer,
  createdPayment,
  customer,
  errorEnvelope,
  getCustomer,
  listCustomers,
  listPayments,
  type MemberRole,
  paymentStatus,
} from '@jangada/contract';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ApiAnswer, startTestGateway, type TestGateway } from '../../test/gateway.ts';
import {
  type GivenAdmin,
  type GivenMerchant,
  givenAdmin,
  givenMerchant,
  parseSuccess,
} from '../../test/given.ts';
import { givenMember } from '../../test/given-member.ts';
import { randomCpf } from '../../test/random-cpf.ts';
import { calendarDayOf, daysAfter } from '../calendar-day.ts';
import { reconcilePayments } from '../payments/reconcile-payments.ts';
import { atHouse } from '../psp/index.ts';

let gateway: TestGateway;
let admin: GivenAdmin;
let merchant: GivenMerchant;
let other: GivenMerchant;
beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
  admin = await givenAdmin(gateway);
  merchant = await givenMerchant(gateway, { admin });
  other = await givenMerchant(gateway, { admin });
});
afterAll(() => gateway.stop());

const callApi = (method: string, path: string, body?: unknown, { apiKey } = merchant) =>
  gateway.api(method, path, body, { apiKey });
const codeOf = ({ body }: ApiAnswer) => errorEnvelope.parse(body).error.code;
const givenCustomer = async (fields: Readonly<Record<string, unknown>> = {}, owner = merchant) =>
  parseSuccess(
    customer,
    await callApi('POST', '/customers', { name: 'Maria Souza', document: randomCpf(), ...fields }, owner),
  );
const listed = async (query: string, owner = merchant) =>
  parseSuccess(listCustomers.response, await callApi('GET', `/customers?${query}`, undefined, owner));
const changeOf = ({ name, document, email, version }: Customer) => ({ name, document, email, version });

const address = { street: 'Rua da Aurora, 10', city: 'Recife', state: 'pe', zip_code: '50050-000' };

describe('a customer', () => {
  test('is kept as it was given, in one form', async () => {
    const given = await givenCustomer({
      document: '529.982.247-25',
      email: 'maria@example.com',
      phone: '(81) 99999-8888',
      address,
      note: 'Aula às terças',
      external_id: 'aluno-1',
    });
    expect(given).toMatchObject({
      name: 'Maria Souza',
      document: '529.982.247-25',
      email: 'maria@example.com',
      phone: '+5581999998888',
      address: { ...address, state: 'PE', zip_code: '50050000' },
      note: 'Aula às terças',
      external_id: 'aluno-1',
      archived_at: null,
      reminders_stopped_at: null,
      version: 1,
    });
    expect(given.made_by).toBeUndefined();
    expect(given.page_url).toMatch(/\/c\/[0-9a-z]{8}[0-9A-Za-z]{22}$/);
  });

  test.each([
    { document: '529.982.247-26' },
    { document: '11.222.333/0001-82' },
    { name: 'M' },
    { name: 'Maria\u202e' },
    { email: 'maria' },
    { phone: '9999' },
    { address: { ...address, zip_code: '5005' } },
    { address: { ...address, state: 'Pernambuco' } },
    { address: { city: 'Recife' } },
  ])('is refused with %j', async (fields) => {
    const body = { name: 'Maria Souza', document: randomCpf(), ...fields };
    expect(codeOf(await callApi('POST', '/customers', body))).toBe('INVALID_BODY');
  });

  test('is entered once for each document and external id, even by many at once', async () => {
    const body = { name: 'Ana Lima', document: randomCpf(), external_id: 'aluno-2' };
    const answers = await Promise.all(Array.from({ length: 8 }, () => callApi('POST', '/customers', body)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(answers.filter(({ status }) => status !== 201).map(codeOf))).toEqual(
      new Set(['CUSTOMER_EXISTS']),
    );
    const twin = { ...body, document: randomCpf() };
    expect(codeOf(await callApi('POST', '/customers', twin))).toBe('CUSTOMER_EXISTS');
    // Another merchant has a register of their own.
    await givenCustomer(body, other);
  });

  test('is entered once under one Idempotency-Key', async () => {
    const body = { name: 'Rui Melo', document: randomCpf() };
    const create = () =>
      gateway.api('POST', '/customers', body, {
        apiKey: merchant.apiKey,
        headers: { 'idempotency-key': 'cliente-1' },
      });
    const first = parseSuccess(customer, await create());
    expect(parseSuccess(customer, await create()).id).toBe(first.id);
  });

  test('is changed as a whole, and not over a change that its author did not see', async () => {
    const given = await givenCustomer({ email: 'ana@example.com', note: 'Paga sempre em dia' });
    const change = { ...changeOf(given), name: 'Ana Lima Prado' };
    const changed = parseSuccess(customer, await callApi('PUT', `/customers/${given.id}`, change));
    expect(changed).toMatchObject({ name: 'Ana Lima Prado', note: null, version: 2 });
    expect(codeOf(await callApi('PUT', `/customers/${given.id}`, change))).toBe('STALE_VERSION');
  });

  test('can be entered again once it is archived, and cannot be restored then', async () => {
    const given = await givenCustomer();
    const path = `/customers/${given.id}`;
    const archived = parseSuccess(
      customer,
      await callApi('PUT', path, { ...changeOf(given), archived: true }),
    );
    expect(archived.archived_at).not.toBeNull();
    await givenCustomer({ document: given.document });
    const restoring = await callApi('PUT', path, { ...changeOf(archived), archived: false });
    expect(codeOf(restoring)).toBe('CUSTOMER_EXISTS');
    expect((await listed('status=archived')).data.map(({ id }) => id)).toContain(given.id);
  });

  test('has a page whose address can be exchanged', async () => {
    const given = await givenCustomer();
    const renewed = parseSuccess(customer, await callApi('POST', `/customers/${given.id}/renew-page`));
    expect(renewed.page_url).not.toBe(given.page_url);
  });

  test('is unknown to another merchant', async () => {
    const { id } = await givenCustomer();
    const change = { name: 'Ana Lima', document: randomCpf(), version: 1 };
    const answers = [
      await callApi('GET', `/customers/${id}`, undefined, other),
      await callApi('PUT', `/customers/${id}`, change, other),
      await callApi('POST', `/customers/${id}/renew-page`, undefined, other),
      await callApi('POST', '/pix/new', { amount: 10, customer_id: id }, other),
    ];
    expect(answers.map(codeOf)).toEqual(answers.map(() => 'CUSTOMER_NOT_FOUND'));
    expect((await listed(`search=${id}`, other)).data).toEqual([]);
  });
});

describe('the list of customers', () => {
  test('finds by parts of name, document and mail, whatever their accents and punctuation', async () => {
    const given = await givenCustomer({
      name: 'Antônia Conceição',
      document: '853.513.468-93',
      email: 'Antonia.C@Example.com',
      external_id: 'aluna-77',
    });
    const searches = ['antonia', 'CONCEIÇÃO', '853.513', '85351346893', 'antonia.c@example'];
    for (const search of searches) {
      const { data } = await listed(`search=${encodeURIComponent(search)}`);
      expect([search, data.map(({ id }) => id)]).toEqual([search, [given.id]]);
    }
    expect((await listed('external_id=aluna-77')).data.map(({ id }) => id)).toEqual([given.id]);
    expect((await listed('search=%25')).data).toEqual([]);
  });

  test('has each customer once, whatever the size of its pages', async () => {
    const owner = await givenMerchant(gateway, { admin });
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.unshift((await givenCustomer({}, owner)).id);
    const found: string[] = [];
    for (let before = ''; ; ) {
      const page = await listed(`limit=2${before}`, owner);
      found.push(...page.data.map(({ id }) => id));
      if (page.next === null) break;
      before = `&before=${page.next}`;
    }
    expect(found).toEqual(ids);
  });
});

describe('who may', () => {
  const fields = { email: 'jose@example.com', phone: '81999998888', address, note: 'Vizinho' };

  const readAs = async (role: MemberRole, id: string) => {
    const { token } = await givenMember(gateway, merchant.id, role);
    return gateway.api('GET', `/customers/${id}`, undefined, { token });
  };

  test.each(['finance', 'operator', 'accountant'] as const)('see all of a customer: %s', async (role) => {
    const given = await givenCustomer(fields);
    const seen = parseSuccess(getCustomer.response, await readAs(role, given.id));
    expect(seen).toMatchObject({ document: given.document, email: given.email, note: 'Vizinho' });
  });

  test('a cashier sees documents and addresses masked, in the list, alone, and on a charge', async () => {
    const given = await givenCustomer(fields);
    const { token } = await givenMember(gateway, merchant.id, 'cashier');
    const masked = {
      document: `***${given.document.slice(3, 12)}**`,
      email: 'j***@example.com',
      phone: '***8888',
      address: null,
      note: null,
      page_url: null,
    };
    const alone = await gateway.api('GET', `/customers/${given.id}`, undefined, { token });
    expect(parseSuccess(getCustomer.response, alone)).toMatchObject({ ...masked, totals: null });
    const list = await gateway.api('GET', '/customers', undefined, { token });
    expect(parseSuccess(listCustomers.response, list).data).toContainEqual(
      expect.objectContaining({ id: given.id, ...masked }),
    );
    const charging = await gateway.api('POST', '/pix/new', { amount: 10, customer_id: given.id }, { token });
    const charge = parseSuccess(createdPayment, charging);
    const status = await gateway.api('GET', `/pix/status/${charge.id}`, undefined, { token });
    const charges = await gateway.api('GET', '/pix', undefined, { token });
    const shown = [
      charge,
      parseSuccess(paymentStatus, status),
      ...parseSuccess(listPayments.response, charges).data,
    ];
    expect(shown.map(({ billed_to }) => billed_to?.document)).toEqual(shown.map(() => masked.document));
    expect(JSON.stringify([charging.body, status.body, charges.body])).not.toContain(given.document);
  });

  test.each(['finance', 'cashier', 'accountant', 'developer'] as const)(
    'not change any: %s',
    async (role) => {
      const { token } = await givenMember(gateway, merchant.id, role);
      const body = { name: 'Ana Lima', document: randomCpf() };
      expect(codeOf(await gateway.api('POST', '/customers', body, { token }))).toBe('MEMBER_ROLE_MISSING');
    },
  );

  test('a member who enters and changes a customer is named, in the answer and in the audit log', async () => {
    const operator = await givenMember(gateway, merchant.id, 'operator');
    const { token } = operator;
    const body = { name: 'Davi Reis', document: randomCpf() };
    const given = parseSuccess(customer, await gateway.api('POST', '/customers', body, { token }));
    expect(given.made_by).toMatchObject({ id: String(operator.id) });
    const change = { ...changeOf(given), name: 'Davi Reis Neto', archived: true };
    parseSuccess(customer, await gateway.api('PUT', `/customers/${given.id}`, change, { token }));
    const log = await gateway.api('GET', `/admin/audit-log?user=${operator.id}`, undefined, admin);
    const entries = parseSuccess(adminAuditLog.response, log).entries;
    expect(entries.slice(0, 2)).toMatchObject([
      { action: 'customer archived', after: { customer: given.id, changed: ['name'] } },
      { action: 'customer added', after: { customer: given.id } },
    ]);
    expect(JSON.stringify(entries)).not.toContain('Davi');
    const byKey = await callApi('GET', `/customers/${given.id}`);
    expect(parseSuccess(getCustomer.response, byKey).made_by).toBeUndefined();
  });
});

describe('a charge for a customer', () => {
  afterEach(() => gateway.bank.setBehaviour({}));

  const charge = async (fields: Readonly<Record<string, unknown>>) =>
    parseSuccess(createdPayment, await callApi('POST', '/pix/new', { amount: 100, ...fields }));

  test('is made out to the customer, and keeps name and document when they change later', async () => {
    const given = await givenCustomer();
    const dueDate = daysAfter(calendarDayOf(gateway.deps.clock.now()), 3);
    const made = await charge({ customer_id: given.id, due_date: dueDate });
    const billed = { name: 'Maria Souza', document: given.document };
    expect(made).toMatchObject({ customer_id: given.id, billed_to: billed });
    const change = { ...changeOf(given), name: 'Maria Souza Lima' };
    parseSuccess(customer, await callApi('PUT', `/customers/${given.id}`, change));
    const status = parseSuccess(paymentStatus, await callApi('GET', `/pix/status/${made.id}`));
    expect(status).toMatchObject({ customer_id: given.id, billed_to: billed });
  });

  test('is found by the customer, and a charge with a payer of the same document is not', async () => {
    const given = await givenCustomer();
    const made = await charge({ customer_id: given.id });
    await charge({ payer: { name: given.name, document: given.document } });
    const found = await callApi('GET', `/pix?customer_id=${given.id}`);
    expect(parseSuccess(listPayments.response, found).data.map(({ id }) => id)).toEqual([made.id]);
  });

  test('is refused for an archived one, for nobody’s id, and beside another payer', async () => {
    const given = await givenCustomer();
    const both = { amount: 10, customer_id: given.id, payer: { name: 'Ana', document: randomCpf() } };
    expect(codeOf(await callApi('POST', '/pix/new', both))).toBe('DUE_TERMS_INVALID');
    await callApi('PUT', `/customers/${given.id}`, { ...changeOf(given), archived: true });
    const archived = await callApi('POST', '/pix/new', { amount: 10, customer_id: given.id });
    expect(codeOf(archived)).toBe('CUSTOMER_ARCHIVED');
    const malformed = await callApi('POST', '/pix/new', { amount: 10, customer_id: 'aluno-1' });
    expect(codeOf(malformed)).toBe('INVALID_BODY');
  });

  test('counts in the customer’s totals at today’s amount, as overdue, and as paid', async () => {
    const given = await givenCustomer();
    const today = calendarDayOf(gateway.deps.clock.now());
    const fine = { type: 'amount', value: 2 };
    await charge({ customer_id: given.id, due_date: today, fine });
    const paid = await charge({ customer_id: given.id, amount: 30 });
    const cancelled = await charge({ customer_id: given.id, amount: 7 });
    await callApi('POST', `/pix/${cancelled.id}/cancel`);
    await gateway.bank.pay({ brCode: paid.content });
    await gateway.advance(5);
    await reconcilePayments(atHouse(gateway.deps));
    const totals = async () =>
      parseSuccess(getCustomer.response, await callApi('GET', `/customers/${given.id}`)).totals;
    const none = { count: 0, amount: 0 };
    expect(await totals()).toEqual({
      open: { count: 1, amount: 100 },
      overdue: none,
      paid: { count: 1, amount: 30 },
    });
    await gateway.advance(6 * 86_400);
    expect(await totals()).toMatchObject({
      open: { count: 1, amount: 102 },
      overdue: { count: 1, amount: 102 },
    });
  });
});
