import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createdPayment } from '@jangada/contract';
import { sql } from 'kysely';
import pMap from 'p-map';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { readConfig } from '../src/config.ts';
import { type ConnectionRow, sealUnderNewKey } from '../src/connections/index.ts';
import { migrate } from '../src/db/migrate.ts';
import type { Db } from '../src/db/pool.ts';
import { auditLedger } from '../src/ledger/index.ts';
import { callbacksOf, connectBank, noticePath } from '../src/psp/index.ts';
import { createSecrets } from '../src/secrets.ts';
import { startTestBank, type TestBank } from './bank.ts';
import { findFreePort } from './free-port.ts';
import { type GatewayProcess, startGatewayProcess } from './gateway-process.ts';
import { openSandboxAccount, type SandboxAccount } from './given-connection.ts';
import { insertMerchant } from './merchant-row.ts';
import { bankIsBusy } from './money/bank-is-busy.ts';
import { type KillableCluster, startKillableCluster } from './money/killable-cluster.ts';
import { type Random, seededRandom } from './money/random.ts';
import { observeDatabase } from './observer.ts';

// Many merchants, each paid into an account of their own at one Banco Sandbox, of which some are slow, silent or down for a
// while, some lie, and some get other credentials, while the gateway and PostgreSQL are killed.

const isLongRun = process.env['LONG'] === '1';
const rounds = isLongRun ? Number(process.env['ROUNDS'] ?? 30) : 1;
const accountCount = isLongRun ? 20 : 5;
const paymentsPerRound = isLongRun ? 1000 : 60;
const concurrentPayers = 16;
const seed = Number(process.env['MONEY_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

/** How an account's bank is for a while. */
const moods = [
  {},
  { charges: 'slow', confirmations: 'slow', slowSeconds: 0.5 },
  { charges: 'down', confirmations: 'down' },
  { charges: 'hang', confirmations: 'hang' },
  { charges: 'accepted-then-timeout', notifications: 'out-of-order' },
  { confirmations: 'not-found-first', notifications: 'duplicated', batchSize: 20 },
  { confirmations: 'down', notifications: 'late', lateSeconds: 1 },
  { notifications: 'never' },
] as const;

const secretKey = Buffer.alloc(32, 11);
const secrets = createSecrets(secretKey);
const directory = mkdtempSync(join(tmpdir(), 'jangada-own-accounts-'));

type Owner = SandboxAccount & {
  readonly row: ConnectionRow;
  readonly merchantId: number;
  readonly apiKey: string;
  /** The endToEndIds of what was paid there. */
  readonly paid: string[];
};

let cluster: KillableCluster;
let db: Db;
let bank: TestBank;
let gateway: GatewayProcess;
let settings: () => Record<string, string>;
let owners: Owner[];

beforeAll(async () => {
  chmodSync(directory, 0o711);
  cluster = await startKillableCluster(join(directory, 'database'), { synchronousCommit: true });
  await migrate({ ownerUrl: cluster.url() });
  db = observeDatabase(cluster.url());
  const [testBank, port] = await Promise.all([startTestBank(), findFreePort()]);
  bank = testBank;
  settings = () => ({
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SANDBOX_PORT: String(bank.port),
    PSP_BASE_URL: `${bank.apiUrl}/v2`,
    PSP_TOKEN_URL: `${bank.apiUrl}/oauth/token`,
    DATA_DIR: directory,
    DATABASE_URL: cluster.url(),
    SECRET_KEY: secretKey.toString('base64'),
    RATE_LIMIT: '0',
  });
  owners = await pMap([...Array(accountCount).keys()], makeOwner, { concurrency: 1 });
  gateway = await startGatewayProcess(settings());
});

afterAll(async () => {
  await gateway?.kill();
  await db?.destroy();
  await bank?.stop();
  await cluster?.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** A merchant with an active account, whose bank sends its notices to the gateway. */
async function makeOwner(nth: number): Promise<Owner> {
  const account = await openSandboxAccount({ bank });
  const apiKey = `jgd_${nth.toString(16).padStart(48, '0')}`;
  const merchantId = await insertMerchant(db, { in_rate: 99, fix_in_cents: 10 });
  const created_at = new Date();
  await db.updateTable('users').set({ merchant_kind: 'direct' }).where('id', '=', merchantId).execute();
  const hashed = { key_hash: secrets.hash('api-key', apiKey), sealed_key: secrets.seal('api-key', apiKey) };
  await db
    .insertInto('api_keys')
    .values({ merchant_id: merchantId, ...hashed, masked_key: '', created_at })
    .execute();
  const row = await db
    .insertInto('bank_connections')
    .values({
      ...{ merchant_id: merchantId, bank: 'sandbox', pix_key: account.key, state: 'active' },
      ...{ created_at, updated_at: created_at },
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await db
    .updateTable('bank_connections')
    .set(sealUnderNewKey(secrets, row, account))
    .where('id', '=', row.id)
    .execute();
  const { clientId: PSP_CLIENT_ID, clientSecret: PSP_CLIENT_SECRET, key: PIX_KEY } = account;
  const config = readConfig({ ...settings(), PSP_CLIENT_ID, PSP_CLIENT_SECRET, PIX_KEY });
  const psp = connectBank(config);
  const connection = { id: row.id, pixKey: account.key };
  const path = noticePath({ secrets, connection, callbacks: callbacksOf(config.psp) });
  await psp.registerNoticeUrl(config.publicUrl + path);
  await psp.close();
  return { ...account, row, merchantId, apiKey, paid: [] };
}

async function setMood({ id }: Owner, mood: (typeof moods)[number]): Promise<void> {
  const normal = { charges: 'normal', confirmations: 'normal', notifications: 'normal', batchSize: 1 };
  const response = await fetch(`${bank.url}/sandbox/behaviour?account=${id}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...normal, ...mood }),
  });
  expect(response.status).toBe(200);
}

/** Seals an account's credentials anew, right ones or wrong ones. Returns whether the database stored them. */
async function tryToReplace({ row, ...account }: Owner, areRight: boolean) {
  const credentials = areRight ? account : { ...account, clientSecret: randomUUID() };
  return await db
    .updateTable('bank_connections')
    .set({ ...sealUnderNewKey(secrets, row, credentials), updated_at: new Date() })
    .where('id', '=', row.id)
    .execute()
    .then(
      () => true,
      () => false,
    );
}

/** Makes a charge, again and again until the gateway answers with one, and pays it. Returns how often that failed. */
async function makePayment(owner: Owner, amount: number): Promise<number> {
  const { apiKey } = owner;
  for (let failed = 0; failed < 2400; failed += 1) {
    const response = await fetch(`${gateway.url}/api/pix/new`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      body: JSON.stringify({ amount }),
    }).catch(() => undefined);
    const text = await response?.text().catch(() => undefined);
    if (response?.status === 400) throw new Error(text);
    if (response?.ok && text !== undefined) {
      const { content } = createdPayment.parse(JSON.parse(text));
      owner.paid.push(await bank.pay({ brCode: content }));
      return failed;
    }
    await sleep(250);
  }
  throw new Error('No charge could be made at all.');
}

/**
 * Until `isOver`, changes how some of the banks are, and the credentials of some accounts. At most a quarter of them are
 * unwell at the same time. Returns how often credentials were replaced.
 */
async function disturb(random: Random, isOver: () => boolean): Promise<number> {
  const unwell: Owner[] = [];
  let replacedCount = 0;
  while (!isOver()) {
    const [owner, mood] = [random.pick(owners), random.pick(moods)];
    if (owner === undefined || mood === undefined) throw new Error('There is no such account.');
    await setMood(owner, mood);
    // PostgreSQL may be the one that was just killed.
    if (random.chance(25) && (await tryToReplace(owner, random.chance(60)))) replacedCount += 1;
    unwell.push(owner);
    await sleep(random.between(50, 400));
    const longest = unwell.length > owners.length / 4 ? unwell.shift() : undefined;
    if (longest !== undefined) await heal(longest);
  }
  return replacedCount;
}

async function heal(owner: Owner): Promise<void> {
  await setMood(owner, {});
  while (!(await tryToReplace(owner, true))) await sleep(200);
}

/** Kills the gateway, in every other round with PostgreSQL, and starts both again. */
async function killAndRestart(random: Random, withDatabase: boolean): Promise<void> {
  if (withDatabase) {
    await cluster.kill();
    await sleep(random.between(0, 200));
  }
  await gateway.kill();
  if (withDatabase) {
    await db.destroy();
    await cluster.start();
    db = observeDatabase(cluster.url());
  }
  gateway = await startGatewayProcess(settings());
}

/** The payments in the books of all accounts. Nothing is left out: a Pix that no payer made would be found too. */
async function readBooked() {
  return await db
    .selectFrom('received_pix')
    .select(['end_to_end_id', 'connection_id', 'outcome', 'merchant_id'])
    .execute();
}

/** Waits until everything that was paid is booked, moving the time, because accounts at rest are asked rarely. */
async function waitUntilBooked(): Promise<void> {
  const paidCount = owners.reduce((sum, { paid }) => sum + paid.length, 0);
  for (let tries = 0; tries < 1200; tries += 1) {
    const { rows } = await sql<{ waiting: number }>`
      select count(*) as waiting from psp_inbox where state = 'waiting'
    `.execute(db);
    const bookedCount = (await readBooked()).length;
    if (bookedCount >= paidCount && Number(rows[0]?.waiting) === 0 && !(await bankIsBusy(bank))) return;
    if (tries % 10 === 9) await bank.advance(120);
    await sleep(200);
  }
  throw new Error('Something that was paid is never booked.');
}

const bankAccount = z.object({ balance: z.number(), payments: z.number() });

async function expectEachBookedOnce(): Promise<void> {
  const booked = await readBooked();
  const expected = owners.flatMap(({ row, merchantId, paid }) =>
    paid.map((id) => `${id} ${row.id} ${merchantId} credited`),
  );
  const lines = booked.map((row) =>
    [row.end_to_end_id, row.connection_id, row.merchant_id, row.outcome].join(' '),
  );
  expect(lines.toSorted()).toEqual(expected.toSorted());
  expect(await auditLedger(db)).toEqual([]);
  for (const { id, row, merchantId, paid } of owners) {
    const atBank = bankAccount.parse(await (await fetch(`${bank.url}/sandbox/account?account=${id}`)).json());
    expect(atBank.payments).toBe(paid.length);
    const { rows } = await sql<{ held: number; due: number; fees: number }>`
      select (select coalesce(-sum(psp_cents), 0) from ledger_balances where connection_id = ${row.id})::bigint held,
             (select coalesce(-sum(fees_due_cents), 0) from ledger_balances
              where merchant_id = ${merchantId})::bigint as due,
             (select coalesce(sum(fee_cents), 0) from charges
              where connection_id = ${row.id} and paid_at is not null)::bigint as fees
    `.execute(db);
    expect(Number(rows[0]?.held)).toBe(Math.round(atBank.balance * 100));
    expect(Number(rows[0]?.due)).toBe(Number(rows[0]?.fees));
    expect(Number(rows[0]?.fees)).toBeGreaterThanOrEqual(paid.length * 10);
  }
}

test('payments at many accounts are each booked once, at their own account, whatever dies or goes wrong meanwhile', {
  timeout: 12 * 3_600_000,
}, async () => {
  console.log(`MONEY_SEED=${seed}`);
  const random = seededRandom(seed);
  let [repeatedCount, replacedCount] = [0, 0];
  for (let round = 0; round < rounds; round += 1) {
    let [isOver, madeCount] = [false, 0];
    const disturbed = disturb(random, () => isOver);
    const healed = disturbed.then(() => pMap(owners, heal));
    let killed: Promise<void> | undefined;
    const killAfter = Math.ceil(paymentsPerRound * (random.between(10, 60) / 100));
    await pMap(
      [...Array(paymentsPerRound).keys()],
      async (nth) => {
        const owner = owners[nth % owners.length];
        if (owner === undefined) throw new Error('There is no such account.');
        const work = makePayment(owner, random.between(150, 400) / 100);
        if (madeCount >= killAfter) killed ??= killAndRestart(random, round % 2 === 1);
        const failedCount = await work;
        repeatedCount += failedCount;
        madeCount += 1;
        // From here on all banks are well: the last payers wait for those that were down.
        if (madeCount >= paymentsPerRound - concurrentPayers) isOver = true;
      },
      { concurrency: concurrentPayers },
    ).finally(() => {
      isOver = true;
    });
    await killed;
    expect(killed, `round ${round}: nothing was killed`).toBeDefined();
    replacedCount += await disturbed;
    await healed;
    await waitUntilBooked();
    await expectEachBookedOnce();
  }
  const paidCount = owners.reduce((sum, { paid }) => sum + paid.length, 0);
  console.log(
    `${rounds} kills, ${accountCount} accounts, ${paidCount} payments, ${repeatedCount} calls that failed, ${replacedCount} times other credentials: none lost, none doubled`,
  );
});
