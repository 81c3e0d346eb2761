import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { liveCloseCodes } from '@jangada/contract';
import pMap from 'p-map';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { machineClock } from '../src/clock.ts';
import { readConfig } from '../src/config.ts';
import type { Db } from '../src/db/pool.ts';
import { inTransaction } from '../src/db/transaction.ts';
import { createAccount, hashPassword } from '../src/identity/index.ts';
import { auditLedger } from '../src/ledger/index.ts';
import { connectBank } from '../src/psp/index.ts';
import { startTestBank, type TestBank } from './bank.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { findFreePort } from './free-port.ts';
import { type GatewayProcess, startGatewayProcess } from './gateway-process.ts';
import { observeDatabase } from './observer.ts';
import { randomCpf } from './random-cpf.ts';
import { type ReverseProxy, startReverseProxy } from './reverse-proxy.ts';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts';

// A high-availability setup: two serving and two working processes on one database, behind a proxy.

const password = 'uma senha de teste';
const pin = '2580';
const directory = mkdtempSync(join(tmpdir(), 'jangada-several-'));

let database: TestDatabase;
let db: Db;
let bank: TestBank;
let proxy: ReverseProxy;
let receiver: WebhookReceiver;
let noticePath: string;
let shop: Account;
let admin: Account;

type Role = 'web' | 'worker';
type Account = { readonly id: number; readonly username: string; token: string; apiKey: string };
type Process = { readonly env: Record<string, string>; readonly metricsUrl: string; running: GatewayProcess };
const processes: Record<Role, Process[]> = { web: [], worker: [] };

beforeAll(async () => {
  [database, bank, receiver] = await Promise.all([
    createTestDatabase(),
    startTestBank(),
    startWebhookReceiver(),
  ]);
  db = observeDatabase(database.appUrl);
  const passwordHash = await hashPassword(password);
  // The database has users already, so that the first start creates no demo.
  const [shopId, adminId] = [
    await newAccount('loja', passwordHash),
    await newAccount('chefe', passwordHash, 'ADMIN'),
  ];
  const ports = await Promise.all(Array.from({ length: 9 }, findFreePort));
  const [proxyPort = 0, ...rest] = ports;
  const settings = (role: Role, nth: number) => ({
    ROLE: role,
    PORT: String(rest[nth]),
    METRICS_PORT: String(rest[nth + 4]),
    PUBLIC_URL: `http://127.0.0.1:${proxyPort}`,
    TRUST_PROXY: 'loopback',
    SANDBOX_PORT: String(bank.port),
    DATA_DIR: directory,
    SECRET_KEY: Buffer.alloc(32, 5).toString('base64'),
    DATABASE_URL: database.appUrl,
    MIGRATION_DATABASE_URL: database.ownerUrl,
    RATE_LIMIT: '100000',
    WITHDRAWAL_NIGHT: '50000',
  });
  const started = (['web', 'web', 'worker', 'worker'] as const).map(async (role, nth) => {
    const env = settings(role, nth);
    const running = await startGatewayProcess(env);
    processes[role].push({ env, metricsUrl: `http://127.0.0.1:${env.METRICS_PORT}/metrics`, running });
  });
  await Promise.all(started);
  proxy = await startReverseProxy(
    processes.web.map(({ running }) => running.url),
    proxyPort,
  );
  shop = await signIn('loja', shopId);
  admin = await signIn('chefe', adminId);
  const key = await call(proxy.url, 'POST', '/authed/apikey', undefined, {
    authorization: `Bearer ${shop.token}`,
  });
  shop.apiKey = String(key.body['apiKey']);
  noticePath = await registeredPath(settings('web', 0));
});

afterAll(async () => {
  await proxy?.stop();
  for (const { running } of [...processes.web, ...processes.worker]) await running.kill();
  await receiver?.close();
  await bank?.stop();
  await db?.destroy();
  await database?.drop();
  rmSync(directory, { recursive: true, force: true });
});

function newAccount(
  username: string,
  passwordHash: string,
  role: 'USER' | 'ADMIN' = 'USER',
): Promise<number> {
  const account = { username, name: 'Ana da Feira', email: `${username}@example.com`, document: randomCpf() };
  return inTransaction({ db, clock: machineClock }, (tx) =>
    createAccount(tx, { ...account, docType: 'CPF', passwordHash, role, approved: true, inRate: 99 }),
  );
}

async function registeredPath(settings: Record<string, string>): Promise<string> {
  const psp = connectBank(readConfig(settings));
  const url = await psp.findNoticeUrl();
  await psp.close();
  return `${new URL(url ?? '').pathname}/pix`;
}

const webUrl = (nth: number): string => processes.web[nth]?.running.url ?? '';

async function call(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Headers; body: Record<string, unknown> }> {
  const response = await fetch(`${url}/api${path}`, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) };
}

async function signIn(username: string, id: number): Promise<Account> {
  const response = await call(proxy.url, 'POST', '/login', { username, password });
  return { id, username, token: String(response.body['token']), apiKey: '' };
}

const asSession = ({ token }: { token: string }) => ({ authorization: `Bearer ${token}` });
const asSystem = () => ({ 'x-api-key': shop.apiKey });

/** Creates charges and pays them at the bank, which sends no notices of them. */
async function payCharges(url: string, count: number, charge: Record<string, unknown> = {}) {
  await bank.setBehaviour({ notifications: 'never' });
  return pMap(
    [...Array(count).keys()],
    async () => {
      const { body } = await call(url, 'POST', '/pix/new', { amount: 20, ...charge }, asSystem());
      return { id: String(body['id']), endToEndId: await bank.pay({ brCode: body['content'] }) };
    },
    { concurrency: 8 },
  );
}

/** Sends a notice of these Pix to a process, as the bank would. */
async function sendNotice(url: string, pix: readonly { endToEndId: string }[]): Promise<void> {
  const response = await fetch(url + noticePath, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      pix: pix.map(({ endToEndId }) => ({ endToEndId, horario: new Date().toISOString() })),
    }),
  });
  expect(response.status).toBe(200);
}

async function countCredited(): Promise<number> {
  const query = db.selectFrom('received_pix').where('outcome', '=', 'credited');
  return (await query.select((row) => row.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()).count;
}

/** How often a process looked up a Pix at the bank, by its own metrics. */
async function countLookUps({ metricsUrl }: Process): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  const counts = text.matchAll(
    /^jangada_bank_exchange_duration_seconds_count\{operation="GET pix\/\{endToEndId\}",outcome="2xx"\} (\d+)$/gm,
  );
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** An open live channel: the messages that arrived on it, and the code with which it is closed. */
type LiveChannel = { readonly messages: { type: string }[]; readonly closeCode: Promise<number> };

/** Opens a socket with a ticket; the gateway closes it if the ticket is not valid. */
async function openSocket(url: string, ticket: string): Promise<LiveChannel> {
  const messages: { type: string }[] = [];
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/notifications/ws?token=${ticket}`);
  socket.on('message', (data) => messages.push(JSON.parse(String(data))));
  socket.on('error', () => {});
  const closeCode = new Promise<number>((resolve) => socket.on('close', resolve));
  await once(socket, 'open');
  return { messages, closeCode };
}

/** Opens a live channel, and waits until the gateway has redeemed the ticket. */
async function openLiveChannel(url: string, ticket: string): Promise<LiveChannel> {
  const channel = await openSocket(url, ticket);
  await expect.poll(() => db.selectFrom('live_tickets').select('session_hash').execute()).toEqual([]);
  return channel;
}

async function requestTicket(url: string, holder: { token: string }): Promise<string> {
  const { body } = await call(url, 'POST', '/authed/notifications/ticket', undefined, asSession(holder));
  return String(body['ticket']);
}

test('a ticket of one process opens the live channel at another, once, and messages from the first arrive there', async () => {
  const ticket = await requestTicket(webUrl(0), shop);
  const channel = await openLiveChannel(webUrl(1), ticket);
  const secondUse = await openSocket(webUrl(0), ticket);
  expect(await secondUse.closeCode).toBe(liveCloseCodes.unauthenticated);
  const channelThroughProxy = await openLiveChannel(proxy.url, await requestTicket(proxy.url, shop));
  await sendNotice(webUrl(0), await payCharges(webUrl(0), 1));
  for (const { messages } of [channel, channelThroughProxy])
    await expect
      .poll(() => messages.map(({ type }) => type))
      .toEqual(expect.arrayContaining(['charge', 'balance']));
});

test('a sign-out at one process is effective at the other immediately, and closes the live channels there', async () => {
  const visitor = await signIn('loja', shop.id);
  const channel = await openLiveChannel(webUrl(1), await requestTicket(webUrl(0), visitor));
  expect((await call(webUrl(1), 'GET', '/authed/profile', undefined, asSession(visitor))).status).toBe(200);
  expect((await call(webUrl(0), 'POST', '/logout', undefined, asSession(visitor))).status).toBe(200);
  expect((await call(webUrl(1), 'GET', '/authed/profile', undefined, asSession(visitor))).status).toBe(401);
  expect(await channel.closeCode).toBe(liveCloseCodes.unauthenticated);
});

test('wrong passwords are counted across processes; the rate limit counts in each', async () => {
  const from = { 'x-forwarded-for': '203.0.113.9' };
  const guess = (nth: number) =>
    call(webUrl(nth % 2), 'POST', '/login', { username: 'loja', password: 'errada demais' }, from);
  const statuses = [];
  for (let nth = 0; nth < 12; nth += 1) statuses.push((await guess(nth)).status);
  expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);

  const remaining = async (url: string) => {
    const { headers } = await call(url, 'GET', '/authed/profile', undefined, asSession(admin));
    return Number(headers.get('ratelimit-remaining'));
  };
  const [before, other] = [await remaining(webUrl(0)), await remaining(webUrl(1))];
  expect(await remaining(webUrl(0))).toBe(before - 1);
  expect(await remaining(webUrl(1))).toBe(other - 1);
});

test('one Idempotency-Key, used concurrently at both processes, creates one charge', async () => {
  const headers = { ...asSystem(), 'idempotency-key': randomUUID() };
  const ask = async (url: string): Promise<unknown> => {
    const { status, body } = await call(url, 'POST', '/pix/new', { amount: 31.5 }, headers);
    return status === 409 ? ask(url) : body['id'];
  };
  const ids = await Promise.all([webUrl(0), webUrl(1), webUrl(0), webUrl(1)].map(ask));
  expect(new Set(ids).size).toBe(1);
  const other = await call(webUrl(1), 'POST', '/pix/new', { amount: 31.6 }, headers);
  expect(other.body['error']).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
});

test('an account frozen at one process can do nothing at the other from then on', async () => {
  const id = await newAccount('outra', await hashPassword(password));
  const other = await signIn('outra', id);
  const channel = await openLiveChannel(webUrl(1), await requestTicket(webUrl(1), other));
  const frozen = await call(
    webUrl(0),
    'POST',
    `/admin/users/${id}/freeze`,
    { reason: 'teste' },
    asSession(admin),
  );
  expect(frozen.status).toBe(200);
  expect((await call(webUrl(1), 'GET', '/authed/profile', undefined, asSession(other))).status).toBe(401);
  expect((await call(webUrl(1), 'POST', '/login', { username: 'outra', password })).status).toBe(403);
  expect(await channel.closeCode).toBe(liveCloseCodes.frozen);
});

test('payouts stopped at one process are stopped for all, and withdrawals leave after they resume', async () => {
  const credited = await countCredited();
  await sendNotice(webUrl(0), await payCharges(webUrl(0), 3));
  await expect.poll(countCredited).toBe(credited + 3);
  const pinBody = { current_password: password, new_pin: pin, confirm_pin: pin };
  await call(webUrl(0), 'POST', '/authed/set-withdrawal-pin', pinBody, asSession(shop));
  const withdraw = (url: string) => {
    const body = { amount: 10, pixKey: 'maria@example.com', pix_key_type: 'email', withdrawal_pin: pin };
    return call(url, 'POST', '/authed/withdraw', body, asSession(shop));
  };
  await call(webUrl(0), 'POST', '/admin/payouts/stop', { reason: 'teste' }, asSession(admin));
  const refused = await withdraw(webUrl(1));
  expect(refused.body['error']).toMatchObject({ code: 'WITHDRAWALS_PAUSED' });
  await expect
    .poll(
      async () =>
        (await call(webUrl(1), 'POST', '/admin/payouts/resume', { reason: 'visto' }, asSession(admin)))
          .status,
    )
    .toBe(200);
  expect((await withdraw(webUrl(0))).status).toBe(201);
  await expect
    .poll(async () => (await bank.listPayouts()).map(({ status }) => status))
    .toEqual(['REALIZADO']);
});

test('both workers take work, and each item is done once', async () => {
  const before = await Promise.all(processes.worker.map(countLookUps));
  const credited = await countCredited();
  const pix: Awaited<ReturnType<typeof payCharges>> = [];
  const haveBothWorked = async () => {
    const after = await Promise.all(processes.worker.map(countLookUps));
    return after.every((count, nth) => count > (before[nth] ?? 0));
  };
  // Each batch is sent after the previous one is done. Which worker polls next is up to chance, but not that one never does.
  do {
    const batch = await payCharges(proxy.url, 2, { callback_url: `${receiver.url}/pix` });
    await sendNotice(webUrl((pix.length / 2) % 2), batch);
    pix.push(...batch);
    await expect.poll(countCredited).toBe(credited + pix.length);
  } while (pix.length < 24 || !(await haveBothWorked()));
  await expect.poll(() => receiver.received.length).toBe(pix.length);
  expect(new Set(receiver.received.map(({ body }) => JSON.parse(body).id))).toEqual(
    new Set(pix.map(({ id }) => id)),
  );
  expect(receiver.received).toHaveLength(pix.length);
});

test('the work of a killed worker is taken over by the other, and each payment is credited once', async () => {
  const credited = await countCredited();
  const pix = await payCharges(proxy.url, 80);
  const [victim] = processes.worker;
  await Promise.all(pix.map((one, nth) => sendNotice(webUrl(nth % 2), [one])));
  await victim?.running.kill();
  // Its items become due when their lease of ten seconds expires.
  await bank.advance(11);
  await expect.poll(countCredited).toBe(credited + pix.length);
  expect(await auditLedger(db)).toEqual([]);
});

test('restarting a process under load fails no call behind a proxy', async () => {
  const statuses: number[] = [];
  const ids = new Set<unknown>();
  let isRunning = true;
  let keyCount = 0;
  const client = async (nth: number) => {
    while (isRunning) {
      const asked =
        nth === 0
          ? call(proxy.url, 'GET', '/authed/profile', undefined, asSession(shop))
          : call(
              proxy.url,
              'POST',
              '/pix/new',
              { amount: 5 },
              { ...asSystem(), 'idempotency-key': randomUUID() },
            );
      const { status, body } = await asked;
      // The load lasts as long as the start of a process, and is light enough not to delay it.
      await sleep(30);
      statuses.push(status);
      if (nth === 0) continue;
      keyCount += 1;
      ids.add(body['id']);
    }
  };
  const clients = [0, 1, 2].map(client);
  const [restarted] = processes.web;
  if (restarted === undefined) throw new Error('no process to restart');
  const waitForMoreThan = (count: number) => expect.poll(() => statuses.length).toBeGreaterThan(count);
  await waitForMoreThan(20);
  expect(await restarted.running.stop()).toBe(0);
  await waitForMoreThan(statuses.length + 20);
  restarted.running = await startGatewayProcess(restarted.env);
  await waitForMoreThan(statuses.length + 20);
  isRunning = false;
  await Promise.all(clients);
  expect(statuses.filter((status) => status !== 200 && status !== 201)).toEqual([]);
  expect(ids.size).toBe(keyCount);
  expect(await auditLedger(db)).toEqual([]);
});
