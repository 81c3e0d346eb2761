import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { createAdjustableClock } from '../clock.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import { createSecrets } from '../secrets.ts';
import { ALL_CALLBACKS } from './secret-store.ts';
import { loadOrCreateSigningSecrets, readCurrentSecret, rotateSecret } from './secrets.ts';

const secrets = createSecrets(randomBytes(32));
const hour = 3_600_000;
let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDb(createPool({ url: database.appUrl }));
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

async function merchant() {
  const clock = createAdjustableClock();
  return { deps: { db, clock, secrets }, clock, merchantId: await insertMerchant(db) };
}
const callbacksOf = (merchantId: number) => ({ merchantId, receiver: ALL_CALLBACKS });
const signing = async ({ deps, merchantId }: Awaited<ReturnType<typeof merchant>>) =>
  (await loadOrCreateSigningSecrets(deps, [callbacksOf(merchantId)]))(callbacksOf(merchantId));

test('a secret is created on first use, once, even under concurrent requests', async () => {
  const { deps, merchantId } = await merchant();
  const asked = await Promise.all(
    Array.from({ length: 20 }, () => readCurrentSecret(deps, callbacksOf(merchantId))),
  );
  expect(new Set(asked).size).toBe(1);
  expect(asked[0]).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(await readCurrentSecret(deps, callbacksOf(merchantId))).toBe(asked[0]);
});

test('each merchant has its own secret', async () => {
  const [one, other] = [await merchant(), await merchant()];
  const owners = [callbacksOf(one.merchantId), callbacksOf(other.merchantId)];
  const secretsOf = await loadOrCreateSigningSecrets(one.deps, owners);
  const [[first], [second]] = owners.map(secretsOf) as [string[], string[]];
  expect(first).toMatch(/^whsec_/);
  expect(second).toMatch(/^whsec_/);
  expect(first).not.toBe(second);
});

test('a rotated secret signs along for exactly 24 hours', async () => {
  const given = await merchant();
  const old = await readCurrentSecret(given.deps, callbacksOf(given.merchantId));
  const fresh = await rotateSecret(given.deps, callbacksOf(given.merchantId));
  expect(await readCurrentSecret(given.deps, callbacksOf(given.merchantId))).toBe(fresh);
  given.clock.shift(24 * hour - 60_000);
  expect(await signing(given)).toEqual([fresh, old]);
  given.clock.shift(60_000);
  expect(await signing(given)).toEqual([fresh]);
});

test('concurrent rotations leave one current secret, and all returned ones sign', async () => {
  const given = await merchant();
  const old = await readCurrentSecret(given.deps, callbacksOf(given.merchantId));
  const rotated = await Promise.all(
    Array.from({ length: 4 }, () => rotateSecret(given.deps, callbacksOf(given.merchantId))),
  );
  const signs = await signing(given);
  expect(new Set(signs)).toEqual(new Set([...rotated, old]));
  expect(rotated).toContain(await readCurrentSecret(given.deps, callbacksOf(given.merchantId)));
});

test('repeated rotations keep five signatures at most, the newest', async () => {
  const given = await merchant();
  const rotated: string[] = [];
  for (let times = 0; times < 8; times += 1) {
    rotated.unshift(await rotateSecret(given.deps, callbacksOf(given.merchantId)));
    given.clock.shift(1000);
  }
  expect(await signing(given)).toEqual(rotated.slice(0, 5));
});

test('no secret is readable in the database', async () => {
  const { deps, merchantId } = await merchant();
  const secret = await readCurrentSecret(deps, callbacksOf(merchantId));
  const row = await db
    .selectFrom('webhook_secrets')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .executeTakeFirstOrThrow();
  expect(row.sealed_secret.includes(Buffer.from(secret))).toBe(false);
  expect(row.sealed_secret.includes(Buffer.from(secret.slice(6), 'base64'))).toBe(false);
});
