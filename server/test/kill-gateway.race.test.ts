import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pMap from 'p-map';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import type { Db } from '../src/db/pool.ts';
import { auditLedger } from '../src/ledger/index.ts';
import { connectBank } from '../src/psp/index.ts';
import { startTestBank, type TestBank } from './bank.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { findFreePort } from './free-port.ts';
import { type GatewayProcess, startGatewayProcess } from './gateway-process.ts';
import { insertMerchant } from './merchant-row.ts';
import { observeDatabase } from './observer.ts';

const isLongRun = process.env['LONG'] === '1';
const rounds = isLongRun ? 30 : 1;
const paymentsPerRound = isLongRun ? 1000 : 150;
const concurrentCalls = 16;

let database: TestDatabase;
let db: Db;
let bank: TestBank;
let gateway: GatewayProcess;
let settings: Record<string, string>;
const dataDir = mkdtempSync(join(tmpdir(), 'jangada-kill-'));

beforeAll(async () => {
  database = await createTestDatabase();
  db = observeDatabase(database.appUrl);
  // The bank sends no notices by itself: this test sends them, so that it knows which were acknowledged.
  bank = await startTestBank();
  await bank.setBehaviour({ notifications: 'never' });
  const port = await findFreePort();
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
  const response = await fetch(gateway.url + path, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const parsed: Record<string, unknown> = JSON.parse(await response.text());
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(parsed)}`);
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

/** A Pix as the item of a notice: `horario` is the time of the payment. */
type NoticeItem = { readonly endToEndId: string; readonly horario: string };

/** Creates charges and pays them at the bank. Returns the items of their notices. */
async function payCharges(apiKey: string, count: number): Promise<NoticeItem[]> {
  const endToEndIds = new Set<string>();
  const begin = new Date(Date.now() - 1000);
  await pMap(
    [...Array(count).keys()],
    async () => {
      const { content } = await call('POST', '/api/pix/new', { amount: 25.9 }, { 'x-api-key': apiKey });
      endToEndIds.add(await bank.pay({ brCode: content }));
    },
    { concurrency: concurrentCalls },
  );
  const psp = connectBank(readConfig(settings));
  const paid: NoticeItem[] = [];
  for await (const page of psp.listReceivedPix(begin, new Date(Date.now() + 1000)))
    for (const { endToEndId, paidAt } of page)
      if (endToEndIds.has(endToEndId)) paid.push({ endToEndId, horario: paidAt.toISOString() });
  await psp.close();
  expect(paid).toHaveLength(count);
  return paid;
}

/** Distributes items to calls as banks do: most calls have one item, some have more. */
function splitIntoCalls(paid: readonly NoticeItem[]): NoticeItem[][] {
  const calls: NoticeItem[][] = [];
  for (let at = 0; at < paid.length; at += calls.at(-1)?.length ?? 0)
    calls.push(paid.slice(at, at + ([1, 1, 1, 9, 1, 3][calls.length % 6] ?? 1)));
  return calls;
}

/** The URL to which the bank sends notices: what the gateway registered, and `/pix`. */
async function readNoticeUrl(): Promise<string> {
  const psp = connectBank(readConfig(settings));
  const url = await psp.findNoticeUrl();
  await psp.close();
  return `${url}/pix`;
}

/**
 * Sends notices, and kills the gateway shortly after `killAfter` items are acknowledged, while more are on their way.
 * Returns the endToEndIds of acknowledged calls, and of calls without a response, of which the outcome is unknown.
 * Calls that could not be sent at all are in neither list.
 */
async function sendNoticesAndKill(url: string, paid: readonly NoticeItem[], killAfter: number) {
  const acknowledged: string[] = [];
  const unknown: string[] = [];
  let killed: Promise<void> | undefined;
  await pMap(
    splitIntoCalls(paid),
    async (pix) => {
      const endToEndIds = pix.map(({ endToEndId }) => endToEndId);
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ pix }),
        });
        await response.arrayBuffer();
        if (response.status === 200) acknowledged.push(...endToEndIds);
      } catch (error) {
        const cause = error instanceof Error ? error.cause : undefined;
        const neverSent = cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
        if (!neverSent) unknown.push(...endToEndIds);
      }
      if (acknowledged.length >= killAfter) killed ??= sleep(Math.random() * 5).then(() => gateway.kill());
    },
    { concurrency: concurrentCalls },
  );
  await killed;
  return { acknowledged, unknown };
}

/** Waits until no notice is waiting in the inbox. */
async function untilInboxEmpty(): Promise<void> {
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
  const url = await readNoticeUrl();
  let credited = 0;
  let unknownCount = 0;
  for (let round = 0; round < rounds; round += 1) {
    const paid = await payCharges(apiKey, paymentsPerRound);
    const endToEndIds = paid.map(({ endToEndId }) => endToEndId);
    const killAfter = Math.ceil(paymentsPerRound * (0.1 + 0.5 * Math.random()));
    const { acknowledged, unknown } = await sendNoticesAndKill(url, paid, killAfter);
    // A kill that interrupts no call proves nothing.
    expect(unknown.length, `round ${round}: nothing was under way`).toBeGreaterThan(0);
    unknownCount += unknown.length;

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
        const response = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        });
        expect(response.status).toBe(200);
      },
      { concurrency: concurrentCalls },
    );
    await untilInboxEmpty();
    credited += endToEndIds.length;
    expect(await countCredited()).toBe(credited);
    expect(await auditLedger(db)).toEqual([]);
  }
  console.log(
    `${rounds} kills, ${rounds * paymentsPerRound} payments, ${unknownCount} unknown outcomes: none lost, none doubled`,
  );
});
