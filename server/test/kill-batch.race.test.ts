import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chargeBatch } from '@jangada/contract';
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

const isLongRun = process.env['LONG'] === '1';
const size = isLongRun ? 10_000 : 500;
const kills = isLongRun ? 8 : 2;

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

const call = async (method: string, path: string, body?: unknown) => {
  const response = await fetch(`${gateway.url}/api${path}`, {
    method,
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return chargeBatch.parse(await response.json());
};

test('a gateway killed while it works off a batch goes on where it was, and each line is one charge', async () => {
  const items = Array.from({ length: size }, (_, n) => ({ external_id: `linha-${n + 1}`, amount: 10 }));
  const { id } = await call('POST', '/pix/batches', { items });
  const countCreated = async () => (await call('GET', `/pix/batches/${id}`)).created;
  let openCount = 0;
  for (let round = 1; round <= kills; round += 1) {
    await expect
      .poll(countCreated, { timeout: 120_000, interval: 20 })
      .toBeGreaterThan((round * size) / (kills + 2));
    await gateway.kill();
    const open = await db
      .selectFrom('charge_batch_lines')
      .select('line')
      .where('batch_id', '=', id)
      .where('state', '=', 'waiting')
      .where('charge_id', 'is not', null)
      .execute();
    openCount += open.length;
    gateway = await startGatewayProcess(settings);
    // After this time the leases of the killed gateway have ended.
    await bank.advance(121);
  }
  // Kills between two lines only would prove nothing.
  expect(openCount).toBeGreaterThan(0);
  await expect.poll(countCreated, { timeout: 600_000, interval: 200 }).toBe(size);
  const lines = await db
    .selectFrom('charge_batch_lines')
    .select(['external_id', 'charge_id'])
    .where('batch_id', '=', id)
    .execute();
  const charges = await db
    .selectFrom('charges')
    .select(['id', 'external_id', 'txid', 'status', 'br_code'])
    .where('merchant_id', '=', merchantId)
    .execute();
  const usable = charges.filter(({ status, br_code }) => status === 'pending' && br_code !== '');
  // Whatever a kill left half made goes on with its line: there is no other charge that somebody could pay.
  expect(charges.filter(({ status }) => status !== 'error')).toHaveLength(size);
  expect(usable).toHaveLength(size);
  const chargeOfLine = new Map(lines.map((line) => [line.external_id, line.charge_id]));
  for (const charge of usable) expect(chargeOfLine.get(charge.external_id ?? '')).toBe(charge.id);
  for (const { txid, br_code } of usable.slice(0, 100))
    expect((await psp.findCharge(txid, 'immediate'))?.brCode).toBe(br_code);
}, 300_000);
