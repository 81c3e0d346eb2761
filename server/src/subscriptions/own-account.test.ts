import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type BankConnection,
  connection as connectionSchema,
  createSubscription,
  listCycles,
  type Subscription,
  subscription as subscriptionSchema,
} from '@jangada/contract';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import {
  codeOf,
  type GivenAdmin,
  type GivenMerchant,
  givenAdmin,
  givenMerchant,
  parseSuccess,
} from '../../test/given.ts';
import { entryOf, givenConnection, openSandboxAccount, waitForCheck } from '../../test/given-connection.ts';

import { mailsTo, sendQueuedMails } from '../../test/mailbox.ts';
import { calendarDayOf, daysAfter } from '../calendar-day.ts';
import { selectConnection } from '../connections/index.ts';
import { retireConnections } from '../connections/retire-connections.ts';
import { findBusyBanks } from '../psp/index.ts';
import { planCycles } from './plan-cycles.ts';
import { workCycles } from './work-cycles.ts';
import { workMandates } from './work-mandates.ts';

let gateway: TestGateway;
let admin: GivenAdmin;
let proxy: Server;
/** The calls whose answer is that the permission is missing, and the bodies of the debits that went through. */
let notPermitted: RegExp | undefined;
let refusalStatus = 403;
const debits: unknown[] = [];

beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
  admin = await givenAdmin(gateway);
  proxy = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { 'content-type': type = '', authorization = '' } = request.headers;
    response.setHeader('content-type', 'application/json');
    if (notPermitted?.test(`${request.method} ${request.url}`)) {
      const problem = { type: 'https://pix.bcb.gov.br/api/v2/error/AcessoNegado', title: 'Acesso negado' };
      response.writeHead(refusalStatus);
      return response.end(JSON.stringify({ ...problem, status: refusalStatus, detail: 'Falta um escopo.' }));
    }
    const body = Buffer.concat(chunks);
    if (/^\/v2\/cobr\//.test(request.url ?? '') && request.method === 'PUT')
      debits.push(JSON.parse(body.toString()));
    const answer = await fetch(gateway.bank.apiUrl + request.url, {
      method: request.method ?? 'GET',
      headers: { authorization, ...(type && { 'content-type': type }) },
      ...(body.length > 0 && { body }),
    });
    response.writeHead(answer.status);
    return response.end(await answer.text());
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
});
afterEach(() => {
  notPermitted = undefined;
  refusalStatus = 403;
  debits.length = 0;
});
afterAll(async () => {
  proxy.close();
  await gateway.stop();
});

const account = { type: 'payment', branch: '0001', number: '7654321' };
const monthly = {
  payer: { name: 'Ana Souza', document: '529.982.247-25' },
  description: 'Mensalidade',
  amount: 99.9,
  period: 'monthly',
  authorization: 'code',
};

const call = (by: GivenMerchant, method: string, path: string, body?: unknown) =>
  gateway.api(method, `/authed/connections${path}`, body, { token: by.token });
const read = async (by: GivenMerchant, id: string) =>
  parseSuccess(connectionSchema, await call(by, 'GET', `/${id}`));
const subscribe = (by: GivenMerchant, firstDay: string) =>
  gateway.api('POST', '/subscriptions', { ...monthly, first_day: firstDay }, { apiKey: by.apiKey });
const today = () => calendarDayOf(gateway.deps.clock.now());
const stateOf = async (id: number) => (await selectConnection(gateway.deps.db, id))?.state;
const stepOf = ({ check }: BankConnection, id: string) => check?.steps.find((step) => step.id === id);

/** An account at a bank that this gateway does not know, which is Banco Sandbox behind the proxy. */
async function givenOtherBank(merchant: GivenMerchant, fields: object = {}): Promise<BankConnection> {
  const entry = { ...entryOf(await openSandboxAccount(gateway)), bank: 'other', ...fields };
  const { id } = parseSuccess(connectionSchema, await call(merchant, 'POST', '', entry));
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const addresses = { api_url: `${url}/v2`, token_url: `${url}/oauth/token`, reason: 'Banco com API Pix' };
  await gateway.api('PUT', `/admin/connections/${id}/addresses`, addresses, { token: admin.token });
  await call(merchant, 'POST', `/${id}/check`);
  const checked = await waitForCheck(gateway, merchant, id);
  const proof = { password: merchant.password };
  parseSuccess(connectionSchema, await call(merchant, 'POST', `/${id}/activate`, proof));
  return checked;
}

/** Does what is due, to its end: turns do not wait for a bank that is slow. */
async function work(): Promise<void> {
  for (let round = 0; round < 200; round += 1) {
    const counts = [
      await workMandates(gateway.deps),
      await planCycles(gateway.deps),
      await workCycles(gateway.deps),
    ];
    const isBusy = ['mandates', 'cycles'].some((name) => findBusyBanks(gateway.deps, name).length > 0);
    if (!isBusy && counts.every((count) => count === 0)) return;
    if (isBusy) await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** A subscription whose payer allowed the debits, and whose first cycle is to be sent now. */
async function givenAllowed(merchant: GivenMerchant): Promise<Subscription> {
  const created = parseSuccess(createSubscription.response, await subscribe(merchant, daysAfter(today(), 5)));
  await gateway.bank.control('POST', '/sandbox/recs', { brCode: created.code });
  await gateway.advance(60);
  return created;
}

async function firstCycle(merchant: GivenMerchant, { id }: Subscription) {
  const { apiKey } = merchant;
  const list = await gateway.api('GET', `/subscriptions/${id}/cycles`, undefined, { apiKey });
  return parseSuccess(listCycles.response, list).data.at(-1);
}

test('at Banco Sandbox debits are taken without anything typed', async () => {
  const merchant = await givenMerchant(gateway, { admin });
  const { id } = await givenConnection(gateway, merchant);
  const shown = await read(merchant, String(id));
  expect(shown).toMatchObject({ recurring: 'available', debit_account: null });
  expect(stepOf(shown, 'recurring')?.state).toBe('passed');
  expect((await subscribe(merchant, daysAfter(today(), 5))).status).toBe(201);
});

test('at a real bank no subscription begins before the account for debits is known, and each debit names it', async () => {
  const merchant = await givenMerchant(gateway, { admin });
  const checked = await givenOtherBank(merchant);
  expect(checked).toMatchObject({ recurring: 'needs-account', check: { result: 'passed' } });
  expect(stepOf(checked, 'recurring')).toMatchObject({
    state: 'warned',
    meaning: expect.stringMatching(/agência/),
  });
  expect(codeOf(await subscribe(merchant, daysAfter(today(), 5)))).toBe('409 DEBIT_ACCOUNT_MISSING');
  const set = (body: object) => call(merchant, 'PUT', `/${checked.id}/debit-account`, body);
  const { password } = merchant;
  expect(codeOf(await set({ ...account, password: 'outra senha' }))).toBe('403 PASSWORD_WRONG');
  expect((await set({ ...account, number: '12.345-6', password })).status).toBe(400);
  expect((await read(merchant, checked.id)).recurring).toBe('needs-account');
  expect(parseSuccess(connectionSchema, await set({ ...account, password }))).toMatchObject({
    recurring: 'available',
    debit_account: account,
  });
  await call(merchant, 'POST', `/${checked.id}/check`);
  expect(stepOf(await waitForCheck(gateway, merchant, checked.id), 'recurring')?.state).toBe('passed');
  const entries = await gateway.deps.db
    .selectFrom('audit_log')
    .select('after')
    .where('subject_id', '=', merchant.id)
    .where('action', '=', 'connection debit account set')
    .execute();
  expect(entries).toMatchObject([{ after: { debit_account: account } }]);
  const created = await givenAllowed(merchant);
  await work();
  expect(debits).toMatchObject([
    { recebedor: { agencia: '0001', conta: '7654321', tipoConta: 'PAGAMENTO' } },
  ]);
  expect(await firstCycle(merchant, created)).toMatchObject({ number: 1 });
});

test('the account for debits is also taken with the credentials, and stays as it is once an account has ended', async () => {
  const merchant = await givenMerchant(gateway, { admin });
  const entry = { ...entryOf(await openSandboxAccount(gateway)), bank: 'other', debit_account: account };
  const created = parseSuccess(connectionSchema, await call(merchant, 'POST', '', entry));
  expect(created).toMatchObject({ recurring: 'available', debit_account: account });
  const proof = { password: merchant.password };
  const retired = parseSuccess(
    connectionSchema,
    await call(merchant, 'POST', `/${created.id}/retire`, proof),
  );
  expect(retired).toMatchObject({ state: 'retired', debit_account: null });
  expect(codeOf(await call(merchant, 'PUT', `/${created.id}/debit-account`, { ...account, ...proof }))).toBe(
    '404 CONNECTION_NOT_FOUND',
  );
});

test('a check at a bank that does not permit debits says so, and passes', async () => {
  const merchant = await givenMerchant(gateway, { admin });
  notPermitted = /GET \/v2\/rec\?/;
  const checked = await givenOtherBank(merchant, { debit_account: account });
  expect(checked.check?.result).toBe('passed');
  expect(stepOf(checked, 'recurring')).toMatchObject({
    state: 'warned',
    answered: expect.stringMatching(/403/),
    meaning: expect.stringMatching(/permissão/),
  });
});

test.each([
  ['sent', /PUT \/v2\/cobr\//],
  ['looked at', /GET \/v2\/rec\//],
])(
  'a debit that the bank does not permit to be %s waits, is told once, and goes on when mended',
  async (_, calls) => {
    const merchant = await givenMerchant(gateway, { admin });
    const { id } = await givenOtherBank(merchant, { debit_account: account });
    const [first, second] = [await givenAllowed(merchant), await givenAllowed(merchant)];
    await workMandates(gateway.deps);
    notPermitted = calls;
    await work();
    await gateway.advance(1800);
    // That mandates are permitted says nothing of debits.
    expect((await subscribe(merchant, daysAfter(today(), 300))).status).toBe(201);
    await gateway.advance(1800);
    await work();
    for (const subscription of [first, second])
      expect((await firstCycle(merchant, subscription))?.status).toMatch(/^(planned|sending)$/);
    expect((await read(merchant, id)).recurring).toBe('refused');
    await sendQueuedMails(gateway);
    const address = `${merchant.username.replace('loja-', '')}@example.com`;
    const mails = await mailsTo(gateway, address);
    expect(mails.filter(({ subject }) => subject === 'O banco recusa o Pix Automático')).toHaveLength(1);
    notPermitted = undefined;
    await gateway.advance(1200);
    await work();
    await gateway.advance(3600);
    await work();
    for (const subscription of [first, second])
      expect(await firstCycle(merchant, subscription)).toMatchObject({ status: 'scheduled' });
    expect(debits).toHaveLength(2);
    expect((await read(merchant, id)).recurring).toBe('available');
  },
);

test.each([403, 401])(
  'a mandate that the bank does not permit to be made, by %s, waits, is told once, and is made when mended',
  async (status) => {
    const merchant = await givenMerchant(gateway, { admin });
    const { id } = await givenOtherBank(merchant, { debit_account: account });
    [notPermitted, refusalStatus] = [/POST \/v2\/locrec/, status];
    const created = parseSuccess(
      createSubscription.response,
      await subscribe(merchant, daysAfter(today(), 9)),
    );
    const { apiKey } = merchant;
    const shown = async () =>
      parseSuccess(
        subscriptionSchema,
        await gateway.api('GET', `/subscriptions/${created.id}`, undefined, { apiKey }),
      );
    for (let hour = 0; hour < 4; hour += 1) {
      await gateway.advance(3600);
      await work();
    }
    expect(await shown()).toMatchObject({ status: 'waiting', code: null, mandate: { status: 'making' } });
    expect((await read(merchant, id)).recurring).toBe('refused');
    await sendQueuedMails(gateway);
    const address = `${merchant.username.replace('loja-', '')}@example.com`;
    const mails = await mailsTo(gateway, address);
    expect(mails.filter(({ subject }) => subject === 'O banco recusa o Pix Automático')).toHaveLength(1);
    notPermitted = undefined;
    await gateway.advance(3600);
    await work();
    expect(await shown()).toMatchObject({ status: 'waiting', code: expect.stringMatching(/^000201/) });
    expect((await read(merchant, id)).recurring).toBe('available');
  },
);

test('an account is kept as long as a payer allows debits there', async () => {
  const merchant = await givenMerchant(gateway, { admin });
  const { id } = await givenConnection(gateway, merchant);
  const created = await subscribe(merchant, daysAfter(today(), 300));
  const { code, id: subscriptionId } = parseSuccess(createSubscription.response, created);
  await gateway.bank.control('POST', '/sandbox/recs', { brCode: code });
  await call(merchant, 'POST', `/${id}/retire`, { password: merchant.password });
  await gateway.advance(100 * 86_400);
  await work();
  await retireConnections(gateway.deps);
  expect(await stateOf(id)).toBe('retiring');
  const { apiKey } = merchant;
  await gateway.api('POST', `/subscriptions/${subscriptionId}/cancel`, {}, { apiKey });
  await gateway.advance(86_400);
  await work();
  await retireConnections(gateway.deps);
  expect(await stateOf(id)).toBe('retired');
});
