import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import {
  endpoints,
  errorEnvelope,
  feed,
  health,
  liveMessage,
  livePath,
  notificationTicket,
  walletStats,
  webhookSecret,
} from '@jangada/contract';
import { Webhook } from 'standardwebhooks';
import { Agent, request, WebSocket } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../test/gateway.ts';
import {
  type GivenMerchant,
  givenAdmin,
  givenCharge,
  givenMerchant,
  givenPaidPayment,
  parseSuccess,
} from '../test/given.ts';
import { runConcurrently } from '../test/run-concurrently.ts';
import { createSelfSignedCertificate } from '../test/self-signed.ts';
import { startSilentProxy } from '../test/silent-proxy.ts';
import { startWebhookReceiver } from '../test/webhook-receiver.ts';
import { noticePath } from './psp/index.ts';

let gateway: TestGateway;
let merchant: GivenMerchant;
beforeAll(async () => {
  gateway = await startTestGateway();
  merchant = await givenMerchant(gateway);
});
afterAll(() => gateway.stop());

test('every endpoint of the contract is implemented', async () => {
  for (const { method, path } of endpoints) {
    const { status, body } = await gateway.api(
      method,
      path.replace(/\{\w+\}/g, 'nobody'),
      method === 'GET' ? undefined : {},
    );
    const code = status >= 400 ? errorEnvelope.parse(body).error.code : 'OK';
    expect([`${method} ${path}`, code]).not.toContain('METHOD_NOT_ALLOWED');
    expect([`${method} ${path}`, code]).not.toContain('NOT_FOUND');
    expect(code).not.toBe('INTERNAL');
  }
});

test('a payment is credited from its charge to the balance in the background', async () => {
  const payment = await givenPaidPayment(gateway, merchant, { amount: 250.5 });
  expect(payment).toMatchObject({ status: 'paid', amount: 250.5 });
  const stats = parseSuccess(
    walletStats,
    await gateway.api('GET', '/authed/wallet/stats', undefined, { token: merchant.token }),
  );
  expect(stats.total_earned).toBe(payment.credited_amount);
  const { data } = parseSuccess(
    feed,
    await gateway.api('GET', '/authed/feed/transactions', undefined, { token: merchant.token }),
  );
  expect(data[0]).toMatchObject({ id: payment.id, status: 'paid', end_to_end_id: payment.endToEndId });
});

test('a paid charge is sent to its merchant’s system by a signed webhook', async () => {
  const system = await startWebhookReceiver();
  const { id } = await givenPaidPayment(gateway, merchant, { amount: 30, callback_url: `${system.url}/pix` });
  await expect.poll(() => system.received).toHaveLength(1);
  const answer = await gateway.api('GET', '/authed/webhook-secret', undefined, { token: merchant.token });
  const { secret } = parseSuccess(webhookSecret.response, answer);
  const [webhook] = system.received;
  const event = new Webhook(secret ?? '').verify(webhook?.body ?? '', signatureOf(webhook?.headers));
  expect(event).toMatchObject({ type: 'payment.paid', paymentId: id, status: 'paid', amount: 30 });
  await system.close();
});

function signatureOf(headers: IncomingHttpHeaders | undefined): Record<string, string> {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  return Object.fromEntries(names.map((name) => [name, String(headers?.[name])]));
}

test('an open screen receives the payment and the balance, whichever process settled it', async () => {
  const web = await startTestGateway({ sharedGateway: gateway, env: { ROLE: 'web' } });
  const answer = await web.api('POST', '/authed/notifications/ticket', undefined, { token: merchant.token });
  const { ticket } = parseSuccess(notificationTicket.response, answer);
  const screen = new WebSocket(`${web.url.replace('http', 'ws')}/api${livePath}?token=${ticket}`);
  const messageTypes: string[] = [];
  screen.addEventListener('message', ({ data }) =>
    messageTypes.push(liveMessage.parse(JSON.parse(String(data))).type),
  );
  await once(screen, 'open');
  await givenPaidPayment(gateway, merchant, { amount: 40 });
  await expect.poll(() => [...new Set(messageTypes)].sort()).toEqual(['balance', 'charge', 'notification']);
  const closed = once(screen, 'close');
  await web.stop();
  await closed;
});

test('100 concurrent calls for a charge under one idempotency key create one charge', async () => {
  const createCharge = () =>
    gateway.api(
      'POST',
      '/pix/new',
      { amount: 12.34 },
      { apiKey: merchant.apiKey, headers: { 'idempotency-key': 'twin' } },
    );
  const firstResults = await runConcurrently(100, createCharge);
  const statuses = firstResults.map((result) => (result.status === 'fulfilled' ? result.value.status : 0));
  expect(statuses.filter((status) => status !== 201 && status !== 409)).toEqual([]);
  const laterAnswer = await createCharge();
  expect(laterAnswer).toMatchObject({ status: 201, headers: { 'idempotency-replayed': 'true' } });
  for (const result of firstResults)
    if (result.status === 'fulfilled' && result.value.status === 201)
      expect(result.value.body).toEqual(laterAnswer.body);
  const { data } = parseSuccess(
    feed,
    await gateway.api('GET', '/authed/feed/transactions?search=12,34', undefined, { token: merchant.token }),
  );
  expect(data).toHaveLength(1);
});

test('a merchant’s charge is invisible to other merchants', async () => {
  const charge = await givenCharge(gateway, merchant);
  const other = await givenMerchant(gateway);
  const answer = await gateway.api('GET', `/pix/status/${charge.id}`, undefined, { apiKey: other.apiKey });
  expect(answer).toMatchObject({ status: 404, body: { error: { code: 'PAYMENT_NOT_FOUND' } } });
});

describe('health', () => {
  test('reports database, work and bank as ok', async () => {
    const report = parseSuccess(health.response, await gateway.api('GET', '/health'));
    expect(report).toMatchObject({ status: 'ok', database: 'ok', work: 'ok', psp: 'ok' });
  });

  test('lists problems for the operator, without details for the public', async () => {
    const warnings = [{ name: 'works-as-owner', text: 'the role owns its tables' }];
    const warningGateway = await startTestGateway({ sharedGateway: gateway, warnings, startsWork: false });
    await stopPayouts('the database moved from /a to /b');
    const { body } = await warningGateway.api('GET', '/health');
    await stopPayouts(null);
    await warningGateway.stop();
    expect(JSON.stringify(body)).toMatch(/"warnings":\["works-as-owner","payouts-stopped"/);
    expect(JSON.stringify(body)).not.toMatch(/\/a|owns/);
  });

  const stopPayouts = (reason: string | null) =>
    gateway.deps.db.updateTable('gateway').set({ payouts_stopped_because: reason }).execute();

  test('stays ok without the bank, which it reports as unavailable', async () => {
    const gatewayWithoutBank = await startTestGateway({
      sharedGateway: gateway,
      env: { PSP_BASE_URL: 'http://127.0.0.1:9/v2' },
    });
    const charge = await gatewayWithoutBank.api(
      'POST',
      '/pix/new',
      { amount: 5 },
      { apiKey: merchant.apiKey },
    );
    expect(charge).toMatchObject({ status: 500, body: { error: { code: 'PAYMENT_PROCESSING_ERROR' } } });
    expect(await gatewayWithoutBank.api('GET', '/health')).toMatchObject({
      status: 200,
      body: { psp: 'unavailable' },
    });
    await gatewayWithoutBank.stop();
  });

  test('is unavailable without the database', async () => {
    const proxy = await startSilentProxy(gateway.database.appUrl);
    const gatewayWithoutDatabase = await startTestGateway({ sharedGateway: gateway, databaseUrl: proxy.url });
    proxy.setConnectionsRefused(true);
    expect(await gatewayWithoutDatabase.api('GET', '/health')).toMatchObject({
      status: 503,
      body: { error: { code: 'UNAVAILABLE', details: { database: 'unavailable' } } },
    });
    expect(await gatewayWithoutDatabase.api('GET', '/health/live')).toMatchObject({ status: 200 });
    proxy.setConnectionsRefused(false);
    await gatewayWithoutDatabase.stop();
    await proxy.stop();
  });
});

test('a browser gets a device cookie at its first sign-in, and keeps it', async () => {
  const signIn = (headers = {}) =>
    gateway.api('POST', '/login', { username: merchant.username, password: merchant.password }, { headers });
  const first = await signIn();
  const cookie = String(first.headers['set-cookie']);
  expect(cookie).toMatch(/^jangada_device=.*HttpOnly; SameSite=Strict/);
  const second = await signIn({ cookie: cookie.split(';')[0] });
  expect(second.status).toBe(200);
  expect(second.headers['set-cookie']).toBeUndefined();
});

test('a worker serves health and nothing else', async () => {
  const worker = await startTestGateway({ sharedGateway: gateway, env: { ROLE: 'worker' } });
  expect((await worker.api('GET', '/health')).status).toBe(200);
  expect((await worker.api('POST', '/login', {})).status).not.toBe(200);
  await worker.stop();
});

test('two gateways on one database share sessions and payments', async () => {
  const second = await startTestGateway({ sharedGateway: gateway });
  const charge = await givenCharge(gateway, merchant);
  const statusAnswer = await second.api('GET', `/pix/status/${charge.id}`, undefined, {
    token: merchant.token,
  });
  expect(statusAnswer).toMatchObject({ status: 200, body: { id: charge.id } });
  await second.stop();
});

test('the administration is open to administrators and refused to merchants', async () => {
  const admin = await givenAdmin(gateway);
  const readUser = (token: string) => gateway.api('GET', `/admin/users/${merchant.id}`, undefined, { token });
  expect(await readUser(merchant.token)).toMatchObject({
    status: 403,
    body: { error: { code: 'FORBIDDEN' } },
  });
  expect(await readUser(admin.token)).toMatchObject({
    status: 200,
    body: { user: { username: merchant.username } },
  });
});

test('with mutual TLS notices are accepted only with the bank’s certificate', async () => {
  const [serverCertificate, bankCertificate, otherCertificate] = [
    createSelfSignedCertificate('localhost'),
    createSelfSignedCertificate('bank'),
    createSelfSignedCertificate('bank'),
  ];
  const env = {
    PSP_WEBHOOK_MTLS_PORT: '1',
    PSP_WEBHOOK_MTLS_CERT: serverCertificate.cert,
    PSP_WEBHOOK_MTLS_KEY: serverCertificate.key,
    PSP_WEBHOOK_MTLS_CA: bankCertificate.cert,
  };
  const mtlsGateway = await startTestGateway({ sharedGateway: gateway, env });
  const path = `${noticePath(mtlsGateway.deps)}/pix`;
  const notify = async (url: string, client?: { cert: string; key: string }) => {
    const agent = new Agent({ connect: { ca: serverCertificate.cert, servername: 'localhost', ...client } });
    const headers = { 'content-type': 'application/json' };
    try {
      const answer = await request(url + path, { method: 'POST', body: '{}', headers, dispatcher: agent });
      return answer.statusCode;
    } catch {
      return 'refused';
    } finally {
      await agent.destroy();
    }
  };
  const { noticesUrl } = mtlsGateway;
  expect(await notify(noticesUrl, bankCertificate)).toBe(200);
  expect(await notify(noticesUrl, otherCertificate)).toBe('refused');
  expect(await notify(noticesUrl)).toBe('refused');
  expect(await notify(mtlsGateway.url)).toBe(404);
  await mtlsGateway.stop();
});

test('a system that calls with an invalid key does not block other callers at its address', async () => {
  const callWithUnknownKey = () =>
    gateway.api('GET', '/events', undefined, { apiKey: `jgd_${'0'.repeat(48)}` });
  await expect
    .poll(async () => (await Promise.all(Array.from({ length: 50 }, callWithUnknownKey))).at(-1))
    .toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } });
  const { apiKey, token } = merchant;
  expect((await gateway.api('GET', '/events', undefined, { apiKey })).status).toBe(200);
  expect((await gateway.api('GET', '/authed/profile', undefined, { token })).status).toBe(200);
});
