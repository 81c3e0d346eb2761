import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pMap from 'p-map';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { createDb, createPool, type Db } from '../src/db/pool.ts';
import { auditLedger } from '../src/ledger/index.ts';
import { connectBank } from '../src/psp/index.ts';
import { startTestBank, type TestBank } from './bank.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { freePort } from './free-port.ts';
import { type GatewayProcess, startGatewayProcess } from './gateway-process.ts';
import { insertMerchant } from './merchant-row.ts';

const long = process.env['LONG'] === '1';
const rounds = long ? 30 : 1;
const paymentsPerRound = long ? 1000 : 150;
const inFlight = 16;

let database: TestDatabase;
let db: Db;
let bank: TestBank;
let gateway: GatewayProcess;
let settings: Record<string, string>;
const dataDir = mkdtempSync(join(tmpdir(), 'jangada-kill-'));

beforeAll(async () => {
  database = await testDatabase();
  db = createDb(createPool({ url: database.appUrl, max: 4 }));
  // The bank sends no notices by itself: this test sends them, so that it knows which were acknowledged.
  bank = await startTestBank();
  await bank.behave({ notifications: 'never' });
  const port = await freePort();
  settings = {
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SANDBOX_PORT: String(bank.port),
    PSP_BASE_URL: `${bank.url}/v2`,
    PSP_TOKEN_URL: `${bank.url}/oauth/token`,
    DATA_DIR: dataDir,
    DATABASE_URL: database.appUrl,
    MIGRATION_DATABASE_URL: database.ownerUrl,
    RATE_LIMIT: '0',
  };
  // The database has users already, so that no demo is created.
  await insertMerchant(db);
  gateway = await startGatewayProcess(settings);
});

afterAll(async () => {
  await gateway?.kill();
  await bank?.stop();
  await db?.destroy();
  await database?.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const answer = await fetch(gateway.url + path, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const parsed: Record<string, unknown> = JSON.parse(await answer.text());
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(parsed)}`);
  return parsed;
}

async function newApiKey(): Promise<string> {
  const registration = {
    username: 'mercearia',
    name: 'Mercearia do Teste',
    email: 'mercearia@example.com',
    password: 'uma senha comprida 42',
    document: '52998224725',
    doctype: 'cpf',
  };
  const { token } = await call('POST', '/api/register', registration);
  await db
    .updateTable('users')
    .set({ approved: true, api_active: true, in_rate: 99 })
    .where('username', '=', registration.username)
    .execute();
  return String(
    (await call('POST', '/api/authed/apikey', undefined, { authorization: `Bearer ${token}` }))['apiKey'],
  );
}

type Paid = { readonly endToEndId: string; readonly horario: string };

/** Payments at the bank, each with the time in its notice. */
async function paidCharges(apiKey: string, count: number): Promise<Paid[]> {
  const endToEndIds = new Set<string>();
  const begin = new Date(Date.now() - 1000);
  await pMap(
    [...Array(count).keys()],
    async () => {
      const { content } = await call('POST', '/api/pix/new', { amount: 25.9 }, { 'x-api-key': apiKey });
      endToEndIds.add(await bank.pay({ brCode: content }));
    },
    { concurrency: inFlight },
  );
  const psp = connectBank(readConfig(settings));
  const paid: Paid[] = [];
  for await (const page of psp.listReceivedPix(begin, new Date(Date.now() + 1000)))
    for (const { endToEndId, paidAt } of page)
      if (endToEndIds.has(endToEndId)) paid.push({ endToEndId, horario: paidAt.toISOString() });
  await psp.close();
  expect(paid).toHaveLength(count);
  return paid;
}

/** Notices as banks send them: most with one payment, some with many. */
function inCalls(paid: readonly Paid[]): Paid[][] {
  const calls: Paid[][] = [];
  for (let at = 0; at < paid.length; at += calls.at(-1)?.length ?? 0)
    calls.push(paid.slice(at, at + ([1, 1, 1, 9, 1, 3][calls.length % 6] ?? 1)));
  return calls;
}

/** The address that the gateway registered for the bank's notices. */
async function noticeUrl(): Promise<string> {
  const psp = connectBank(readConfig(settings));
  const url = await psp.findWebhook();
  await psp.close();
  return `${url}/pix`;
}

/**
 * Sends notices, and kills the gateway shortly after `killAfter` of them are acknowledged, while more are on their way.
 * Calls in flight at that moment are unknown; those that could not be sent are neither.
 */
async function tellAndKill(url: string, paid: readonly Paid[], killAfter: number) {
  const acknowledged: string[] = [];
  const unknown: string[] = [];
  let killed: Promise<void> | undefined;
  await pMap(
    inCalls(paid),
    async (pix) => {
      const endToEndIds = pix.map(({ endToEndId }) => endToEndId);
      try {
        const answer = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ pix }),
        });
        await answer.arrayBuffer();
        if (answer.status === 200) acknowledged.push(...endToEndIds);
      } catch (error) {
        const cause = error instanceof Error ? error.cause : undefined;
        const neverSent = cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
        if (!neverSent) unknown.push(...endToEndIds);
      }
      if (acknowledged.length >= killAfter) killed ??= sleep(Math.random() * 5).then(() => gateway.kill());
    },
    { concurrency: inFlight },
  );
  await killed;
  return { acknowledged, unknown };
}

async function untilWorked(): Promise<void> {
  for (;;) {
    const waiting = await db
      .selectFrom('psp_inbox')
      .select('id')
      .where('state', '=', 'waiting')
      .limit(1)
      .execute();
    if (waiting.length === 0) return;
    await sleep(200);
  }
}

async function countCredited(): Promise<number> {
  const booked = await db
    .selectFrom('received_pix')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('outcome', '=', 'credited')
    .executeTakeFirstOrThrow();
  return booked.count;
}

test('a gateway killed while notices arrive keeps those it acknowledged, and credits each payment once', {
  timeout: 3_600_000,
}, async () => {
  const apiKey = await newApiKey();
  const url = await noticeUrl();
  let credited = 0;
  let unknowns = 0;
  for (let round = 0; round < rounds; round += 1) {
    const paid = await paidCharges(apiKey, paymentsPerRound);
    const endToEndIds = paid.map(({ endToEndId }) => endToEndId);
    const killAfter = Math.ceil(paymentsPerRound * (0.1 + 0.5 * Math.random()));
    const { acknowledged, unknown } = await tellAndKill(url, paid, killAfter);
    // A kill that interrupts no call proves nothing.
    expect(unknown.length, `round ${round}: nothing was under way`).toBeGreaterThan(0);
    unknowns += unknown.length;

    // Acknowledged notices are stored before any is sent again.
    const { rows: kept } = await sql<{ id: string }>`
      select notice ->> 'endToEndId' as id from psp_inbox, json_array_elements(notices) notice
    `.execute(db);
    const keptIds = new Set(kept.map(({ id }) => id));
    expect(acknowledged.filter((endToEndId) => !keptIds.has(endToEndId))).toEqual([]);

    gateway = await startGatewayProcess(settings);
    await pMap(
      endToEndIds.filter((endToEndId) => !acknowledged.includes(endToEndId)),
      async (endToEndId) => {
        const body = JSON.stringify({ pix: [{ endToEndId }] });
        const answer = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        });
        expect(answer.status).toBe(200);
      },
      { concurrency: inFlight },
    );
    await untilWorked();
    credited += endToEndIds.length;
    expect(await countCredited()).toBe(credited);
    expect(await auditLedger(db)).toEqual([]);
  }
  console.log(
    `${rounds} kills, ${rounds * paymentsPerRound} payments, ${unknowns} unknown outcomes: none lost, none doubled`,
  );
});
