import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createdPayment } from '@jangada/contract';
import pMap from 'p-map';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import type { Db } from '../src/db/pool.ts';
import { connectBank, type PixCharges } from '../src/psp/index.ts';
import { createSecrets } from '../src/secrets.ts';
import { startTestBank, type TestBank } from './bank.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { findFreePort } from './free-port.ts';
import { type GatewayProcess, startGatewayProcess } from './gateway-process.ts';
import { insertMerchant } from './merchant-row.ts';
import { observeDatabase } from './observer.ts';

const chargeCount = 120;
/** The gateway is killed after this many acknowledged charges. */
const killAfter = 40;
const concurrentCalls = 32;

let database: TestDatabase;
let db: Db;
let bank: TestBank;
let psp: PixCharges;
let gateway: GatewayProcess;
let settings: Record<string, string>;
let merchantId: number;
const dataDir = mkdtempSync(join(tmpdir(), 'jangada-kill-'));
const secretKey = Buffer.alloc(32, 5);
const apiKey = `jgd_${'4f'.repeat(24)}`;

beforeAll(async () => {
  [database, bank] = await Promise.all([createTestDatabase(), startTestBank()]);
  db = observeDatabase(database.appUrl);
  const port = await findFreePort();
  settings = {
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SANDBOX_PORT: String(bank.port),
    PSP_BASE_URL: `${bank.apiUrl}/v2`,
    PSP_TOKEN_URL: `${bank.apiUrl}/oauth/token`,
    DATA_DIR: dataDir,
    DATABASE_URL: database.appUrl,
    MIGRATION_DATABASE_URL: database.ownerUrl,
    SECRET_KEY: secretKey.toString('base64'),
    RATE_LIMIT: '0',
  };
  psp = connectBank(readConfig(settings));
  const secrets = createSecrets(secretKey);
  merchantId = await insertMerchant(db);
  await db
    .insertInto('api_keys')
    .values({
      merchant_id: merchantId,
      key_hash: secrets.hash('api-key', apiKey),
      sealed_key: secrets.seal('api-key', apiKey),
      masked_key: '',
      created_at: new Date(),
    })
    .execute();
  // Starts after the merchant was created: in an empty database it would create the demo first.
  gateway = await startGatewayProcess(settings);
});

afterAll(async () => {
  await gateway?.kill();
  await psp?.close();
  await bank?.stop();
  await db?.destroy();
  await database?.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function create(key: string): Promise<{ id: string; text: string }> {
  const response = await fetch(`${gateway.url}/api/pix/new`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey, 'idempotency-key': key },
    body: JSON.stringify({ amount: 25.9, image: false }),
  });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`${response.status} ${text}`);
  return createdPayment.parse(JSON.parse(text));
}

const readStoredCharges = () =>
  db
    .selectFrom('charges')
    .select(['id', 'txid', 'status', 'br_code'])
    .where('merchant_id', '=', merchantId)
    .execute();

test('a gateway killed while it creates charges keeps those it acknowledged, and creates none twice', async () => {
  const keys = Array.from({ length: chargeCount }, (_, nth) => `order-${nth}`);
  const acknowledged = new Map<string, { id: string; text: string }>();
  let unknownCount = 0;
  let killed: Promise<void> | undefined;
  await pMap(
    keys,
    async (key) => {
      if (killed !== undefined) return;
      try {
        acknowledged.set(key, await create(key));
      } catch {
        unknownCount += 1;
      }
      if (acknowledged.size >= killAfter) killed ??= gateway.kill();
    },
    { concurrency: concurrentCalls },
  );
  await killed;
  // A kill that interrupts no call proves nothing.
  expect(unknownCount).toBeGreaterThan(0);

  const stored = new Map((await readStoredCharges()).map((charge) => [charge.id, charge]));
  for (const { id, text } of acknowledged.values())
    expect(stored.get(id)).toMatchObject({ status: 'pending', br_code: text });

  gateway = await startGatewayProcess(settings);
  // After this time the idempotency claims of the killed gateway have expired.
  await bank.advance(61);
  await expect
    .poll(() => Promise.all(keys.map((key) => create(key).then(() => true))))
    .toHaveLength(chargeCount);

  const chargeByKey = new Map<string, { id: string; text: string }>();
  await pMap(keys, async (key) => void chargeByKey.set(key, await create(key)), {
    concurrency: concurrentCalls,
  });
  for (const [key, charge] of acknowledged) expect(chargeByKey.get(key)).toEqual(charge);
  const charges = await readStoredCharges();
  const returnedIds = new Set([...chargeByKey.values()].map(({ id }) => id));
  const returnedCharges = charges.filter(({ id }) => returnedIds.has(id));
  expect(returnedCharges).toHaveLength(chargeCount);
  for (const { txid, br_code } of returnedCharges)
    expect((await psp.findCharge(txid, 'immediate'))?.brCode).toBe(br_code);
  // Retries continued with the stored charge, without creating another.
  expect(charges).toHaveLength(chargeCount);
});
