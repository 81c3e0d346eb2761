import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../test/database.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { shiftedClock } from '../clock.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import { createSecrets } from '../secrets.ts';
import { readWebhookSecret, rotateWebhookSecret, signingSecrets } from './secrets.ts';

const secrets = createSecrets(randomBytes(32));
const hour = 3_600_000;
let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await testDatabase();
  db = createDb(createPool({ url: database.appUrl }));
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

async function merchant() {
  const clock = shiftedClock();
  return { deps: { db, clock, secrets }, clock, merchantId: await insertMerchant(db) };
}
const signing = async ({ deps, merchantId }: Awaited<ReturnType<typeof merchant>>) =>
  (await signingSecrets(deps, [merchantId])).get(merchantId);

test('a secret is created on first use, once, even under concurrent requests', async () => {
  const { deps, merchantId } = await merchant();
  const asked = await Promise.all(Array.from({ length: 20 }, () => readWebhookSecret(deps, merchantId)));
  expect(new Set(asked).size).toBe(1);
  expect(asked[0]).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(await readWebhookSecret(deps, merchantId)).toBe(asked[0]);
});

test('each merchant has its own secret', async () => {
  const [one, other] = [await merchant(), await merchant()];
  const both = await signingSecrets(one.deps, [one.merchantId, other.merchantId]);
  expect(both.get(one.merchantId)).not.toEqual(both.get(other.merchantId));
  expect(both.size).toBe(2);
});

test('a rotated secret signs along for exactly 24 hours', async () => {
  const given = await merchant();
  const old = await readWebhookSecret(given.deps, given.merchantId);
  const fresh = await rotateWebhookSecret(given.deps, given.merchantId);
  expect(await readWebhookSecret(given.deps, given.merchantId)).toBe(fresh);
  given.clock.shift(24 * hour - 60_000);
  expect(await signing(given)).toEqual([fresh, old]);
  given.clock.shift(60_000);
  expect(await signing(given)).toEqual([fresh]);
});

test('concurrent rotations leave one current secret, and all returned ones sign', async () => {
  const given = await merchant();
  const old = await readWebhookSecret(given.deps, given.merchantId);
  const rotated = await Promise.all(
    Array.from({ length: 4 }, () => rotateWebhookSecret(given.deps, given.merchantId)),
  );
  const signs = (await signing(given)) ?? [];
  expect(new Set(signs)).toEqual(new Set([...rotated, old]));
  expect(rotated).toContain(await readWebhookSecret(given.deps, given.merchantId));
});

test('repeated rotations keep five signatures at most, the newest', async () => {
  const given = await merchant();
  const rotated: string[] = [];
  for (let times = 0; times < 8; times += 1) {
    rotated.unshift(await rotateWebhookSecret(given.deps, given.merchantId));
    given.clock.shift(1000);
  }
  expect(await signing(given)).toEqual(rotated.slice(0, 5));
});

test('no secret is readable in the database', async () => {
  const { deps, merchantId } = await merchant();
  const secret = await readWebhookSecret(deps, merchantId);
  const row = await db
    .selectFrom('webhook_secrets')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .executeTakeFirstOrThrow();
  expect(row.sealed_secret.includes(Buffer.from(secret))).toBe(false);
  expect(row.sealed_secret.includes(Buffer.from(secret.slice(6), 'base64'))).toBe(false);
});
