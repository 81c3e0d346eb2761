import { fileURLToPath } from 'node:url';
import {
  type CounterCode,
  counterCode,
  errorEnvelope,
  listCounterCodes,
  listEvents,
  listPayments,
  paymentTimeline,
} from '@jangada/contract';
import { decodeBrCode } from '@jangada/pix';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { buildStaleWorkspaces } from '../../../tools/build.ts';
import { waitUntilEventsAreVisible } from '../../test/feed.ts';
import { type ApiAnswer, startTestGateway, type TestGateway } from '../../test/gateway.ts';
import {
  type GivenAdmin,
  type GivenMerchant,
  givenAdmin,
  givenMerchant,
  parseSuccess,
} from '../../test/given.ts';
import { givenRefund, readRefunds } from '../../test/refunds.ts';
import { readBalances } from '../ledger/index.ts';
import { paymentLoops } from '../payments/index.ts';

let gateway: TestGateway;
let admin: GivenAdmin;
let merchant: GivenMerchant;
beforeAll(async () => {
  buildStaleWorkspaces();
  const pages = fileURLToPath(new URL('../../../web/dist', import.meta.url));
  gateway = await startTestGateway({ pages });
  admin = await givenAdmin(gateway);
  merchant = await givenMerchant(gateway, { admin });
});
afterEach(() => gateway.bank.setBehaviour({}));
afterAll(() => gateway.stop());

const call = (method: string, path: string, body?: unknown, { apiKey } = merchant) =>
  gateway.api(method, path, body, { apiKey });
const codeOf = ({ body }: ApiAnswer) => errorEnvelope.parse(body).error.code;
const givenCode = async (fields: Readonly<Record<string, unknown>> = {}, owner = merchant) =>
  parseSuccess(counterCode, await call('POST', '/counter-codes', { name: 'Caixa 1', ...fields }, owner));
const readCode = async ({ id }: CounterCode, owner = merchant) =>
  parseSuccess(counterCode, await call('GET', `/counter-codes/${id}`, undefined, owner));
const visit = async ({ print_url }: CounterCode) => {
  const answer = await fetch(gateway.url + new URL(print_url).pathname);
  return { status: answer.status, html: await answer.text() };
};
const paymentsOf = async ({ id }: CounterCode) => {
  const { data } = parseSuccess(listPayments.response, await call('GET', `/pix?counter_code_id=${id}`));
  expect(data.every(({ counter_code_id }) => counter_code_id === id)).toBe(true);
  return data;
};
const reconcile = () => paymentLoops.find(({ name }) => name === 'reconciliation')?.work(gateway.deps);
const waitForPayments = (code: CounterCode, count: number) =>
  expect.poll(async () => (await readCode(code)).payments).toBe(count);

describe('a counter code', () => {
  test('is a static code of the gateway’s key with its merchant’s name, and can be listed, renamed and disabled', async () => {
    const owner = await givenMerchant(gateway, { admin });
    const [open, fixed] = [await givenCode({}, owner), await givenCode({ name: 'Café', amount: 4.5 }, owner)];
    const { pixKey } = gateway.deps.config;
    const decoded = decodeBrCode(open.text);
    expect(decoded).toMatchObject({ kind: 'static', key: pixKey, merchantName: 'Maria da Feira' });
    expect(decodeBrCode(fixed.text)).toMatchObject({ amountCents: 450, key: pixKey });
    expect(open.text).not.toContain(fixed.print_url.slice(-25));

    const list = async (query: string) =>
      parseSuccess(listCounterCodes.response, await call('GET', `/counter-codes?${query}`, undefined, owner));
    const page = await list('limit=1');
    expect(page.data).toEqual([fixed]);
    expect(await list(`limit=1&before=${page.next}`)).toEqual({ data: [open], next: null });

    const change = { name: 'Caixa 2', active: false, version: 1 };
    const changed = parseSuccess(counterCode, await call('PUT', `/counter-codes/${open.id}`, change, owner));
    expect(changed).toMatchObject({ name: 'Caixa 2', active: false, version: 2, text: open.text });
    expect(codeOf(await call('PUT', `/counter-codes/${open.id}`, change, owner))).toBe('STALE_VERSION');
    expect((await list('status=active')).data.map(({ id }) => id)).toEqual([fixed.id]);
    expect((await list('status=ended')).data.map(({ id }) => id)).toEqual([open.id]);
  });

  test.each([
    [{ amount: 1.49 }, 'AMOUNT_TOO_SMALL'],
    [{ amount: 999_999 }, 'AMOUNT_TOO_LARGE'],
    [{ name: '' }, 'INVALID_BODY'],
    [{ name: 'x'.repeat(41) }, 'INVALID_BODY'],
  ])('with %j is refused', async (fields, code) => {
    expect(codeOf(await call('POST', '/counter-codes', { name: 'Caixa 1', ...fields }))).toBe(code);
  });

  test('has a print page, which hides the code if it is disabled or its merchant may not receive', async () => {
    const owner = await givenMerchant(gateway, { admin });
    const code = await givenCode({}, owner);
    const page = await visit(code);
    expect(page).toMatchObject({ status: 200, html: expect.stringContaining('Maria da Feira') });
    expect(page.html).toContain(code.text);
    await gateway.api(
      'POST',
      `/admin/users/${owner.id}/freeze`,
      { reason: 'verificação' },
      { token: admin.token },
    );
    expect((await visit(code)).html).not.toContain(code.text);
    const disabledCode = await givenCode();
    await call('PUT', `/counter-codes/${disabledCode.id}`, {
      name: disabledCode.name,
      active: false,
      version: 1,
    });
    expect((await visit(disabledCode)).html).not.toContain(disabledCode.text);
    const unknownAddress = disabledCode.print_url.replace(/.{17}$/, 'A'.repeat(17));
    expect((await visit({ ...disabledCode, print_url: unknownAddress })).status).toBe(404);
    expect((await visit({ ...disabledCode, print_url: 'http://gateway/balcao/x' })).status).toBe(404);
  });
});

describe('a merchant who is paid into accounts of their own', () => {
  const becomeDirect = async ({ id }: GivenMerchant) => {
    const { version } = await gateway.deps.db
      .selectFrom('users')
      .select('version')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const change = { version, merchant_kind: 'direct' };
    expect((await gateway.api('PUT', `/admin/users/${id}`, change, { token: admin.token })).status).toBe(200);
  };

  test('can neither create a counter code nor switch one on, but switch it off', async () => {
    const owner = await givenMerchant(gateway, { admin });
    const code = await givenCode({}, owner);
    await becomeDirect(owner);
    const change = (active: boolean, version: number) =>
      call('PUT', `/counter-codes/${code.id}`, { name: 'Caixa', active, version }, owner);
    expect((await change(false, 1)).status).toBe(200);
    expect(codeOf(await change(true, 2))).toBe('COUNTER_CODES_NOT_AT_OWN_BANK');
    expect((await change(false, 2)).status).toBe(200);
    expect(codeOf(await call('POST', '/counter-codes', { name: 'Caixa 2' }, owner))).toBe(
      'COUNTER_CODES_NOT_AT_OWN_BANK',
    );
  });

  test('no longer takes payments by the page of a code, but what arrives by a printed one is credited', async () => {
    const owner = await givenMerchant(gateway, { admin });
    const code = await givenCode({}, owner);
    await becomeDirect(owner);
    expect((await visit(code)).html).not.toContain(code.text);
    await gateway.bank.pay({ brCode: code.text, amount: 8 });
    await expect.poll(async () => (await readCode(code, owner)).payments).toBe(1);
    expect(await readBalances(gateway.deps.db, owner.id)).toMatchObject({ psp: -800 });
  });
});

describe('a Pix to a counter code', () => {
  test('is an ordinary payment: in the list, the events and the timeline, and refundable', async () => {
    const code = await givenCode();
    const pspBefore = (await readBalances(gateway.deps.db, merchant.id)).psp;
    const endToEndId = await gateway.bank.pay({ brCode: code.text, amount: 12.34 });
    await waitForPayments(code, 1);
    const [payment, ...otherPayments] = await paymentsOf(code);
    expect(otherPayments).toEqual([]);
    expect(payment).toMatchObject({ status: 'paid', amount: 12.34, end_to_end_id: endToEndId });
    const receipt = await visit({ ...code, print_url: payment?.receipt_url ?? '' });
    expect(receipt).toMatchObject({ status: 200, html: expect.stringContaining(endToEndId) });
    expect(pspBefore - (await readBalances(gateway.deps.db, merchant.id)).psp).toBe(1234);
    const id = payment?.id ?? '';
    await waitUntilEventsAreVisible(gateway);
    const events = parseSuccess(listEvents.response, await call('GET', '/events'));
    expect(events.data.map(({ data }) => data)).toContainEqual(
      expect.objectContaining({ type: 'payment.paid', id, amount: 12.34 }),
    );
    const timeline = await call('GET', `/pix/${id}/timeline`);
    expect(JSON.stringify(parseSuccess(paymentTimeline.response, timeline))).toContain('QR Code de balcão');
    await givenRefund(gateway, merchant, id, { amount: 2 });
    await expect.poll(async () => (await readRefunds(gateway, merchant, id)).refunded_amount).toBe(2);
  });

  test('is credited once, whether its notice is repeated, out of order or missing', async () => {
    for (const notifications of ['duplicated', 'out-of-order', 'never']) {
      const code = await givenCode();
      await gateway.bank.setBehaviour({ notifications });
      await gateway.bank.pay({ brCode: code.text, amount: 3 });
      await gateway.bank.pay({ brCode: code.text, amount: 3 });
      // A payment without a notice is found by reconciliation.
      if (notifications === 'never') await reconcile();
      await waitForPayments(code, 2);
      expect(await readCode(code)).toMatchObject({ payments: 2, received: 6 });
      expect(await paymentsOf(code)).toHaveLength(2);
    }
  });

  test('with an amount other than the printed one, and to a disabled code, is credited in its actual amount', async () => {
    const code = await givenCode({ amount: 10 });
    await call('PUT', `/counter-codes/${code.id}`, { name: code.name, active: false, version: 1 });
    await gateway.bank.pay({ brCode: code.text, amount: 7, force: true });
    await waitForPayments(code, 1);
    expect(await paymentsOf(code)).toMatchObject([{ status: 'paid', amount: 7 }]);
  });
});

test('two requests for a counter code under one Idempotency-Key create one code', async () => {
  const create = () =>
    gateway.api(
      'POST',
      '/counter-codes',
      { name: 'Caixa repetido' },
      {
        apiKey: merchant.apiKey,
        headers: { 'idempotency-key': 'balcao-1' },
      },
    );
  const [first, second] = [await create(), await create()];
  expect(first.status).toBe(201);
  expect(second).toMatchObject({ status: 201, body: first.body });
});
