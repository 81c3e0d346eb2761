import { randomBytes } from 'node:crypto';
import { scopes } from '@jangada/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { givenPerson } from '../../test/people.ts';
import { createAdjustableClock } from '../clock.ts';
import { readConfig } from '../config.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import { authenticateSession } from '../identity/index.ts';
import { createSecrets } from '../secrets.ts';
import { authenticateApiKey, generateApiKey } from './index.ts';
import { readApiKeyStatus, revealApiKey } from './readable-key.ts';
import { deleteReadableKey } from './store.ts';

let database: TestDatabase;
let db: Db;
let clock = createAdjustableClock();
const secrets = createSecrets(randomBytes(32));
const config = readConfig({ REGISTRATIONS_PER_ADDRESS: '1000' });
const deps = () => ({ db, clock, config, secrets });

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDb(createPool({ url: database.appUrl }));
});
beforeEach(() => {
  clock = createAdjustableClock();
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

async function givenMerchant() {
  const person = await givenPerson(deps());
  await db
    .updateTable('users')
    .set({ approved: true, api_active: true })
    .where('id', '=', person.id)
    .execute();
  return person;
}

const invalidKeyRefusal = { code: 'INVALID_API_KEY' };

describe('an API key', () => {
  test('identifies its own merchant only', async () => {
    const [owner, other] = [await givenMerchant(), await givenMerchant()];
    const { apiKey } = await generateApiKey(deps(), owner.id);
    const { apiKey: otherKey } = await generateApiKey(deps(), other.id);
    expect(await authenticateApiKey(deps(), apiKey, '203.0.113.7')).toEqual({
      userId: owner.id,
      accountId: owner.id,
      memberRole: 'owner',
      isHolder: true,
      isAccountFrozen: false,
      role: 'USER',
      approved: true,
      authMethod: 'apiKey',
      key: { id: null, scopes },
    });
    expect((await authenticateApiKey(deps(), otherKey, '203.0.113.7')).userId).toBe(other.id);
  });

  test('is refused if it is unknown, modified or malformed, or the master key is another', async () => {
    const { id } = await givenMerchant();
    const { apiKey } = await generateApiKey(deps(), id);
    const changed = apiKey.slice(0, -1) + (apiKey.endsWith('0') ? '1' : '0');
    for (const key of ['', 'jgd_', changed, apiKey.toUpperCase(), `${apiKey} `, 'a\u0000b'])
      await expect(authenticateApiKey(deps(), key, '203.0.113.7')).rejects.toMatchObject(invalidKeyRefusal);
    await expect(
      authenticateApiKey({ ...deps(), secrets: createSecrets(randomBytes(32)) }, apiKey, '203.0.113.7'),
    ).rejects.toMatchObject(invalidKeyRefusal);
  });

  test('is generated only for an approved account', async () => {
    const { id } = await givenPerson(deps());
    await expect(generateApiKey(deps(), id)).rejects.toMatchObject({ code: 'ACCOUNT_NOT_APPROVED' });
  });

  test('is invalid as soon as another is generated, or it is revoked', async () => {
    const { id, caller } = await givenMerchant();
    const first = await generateApiKey(deps(), id);
    const second = await generateApiKey(deps(), id);
    expect(second.key).toBe(second.apiKey);
    await expect(authenticateApiKey(deps(), first.apiKey, '203.0.113.7')).rejects.toMatchObject(
      invalidKeyRefusal,
    );
    await authenticateApiKey(deps(), second.apiKey, '203.0.113.7');
    await deleteReadableKey(db, id);
    await expect(authenticateApiKey(deps(), second.apiKey, '203.0.113.7')).rejects.toMatchObject(
      invalidKeyRefusal,
    );
    expect(await readApiKeyStatus(deps(), caller)).toMatchObject({ hasKey: false, key: null, masked: null });
  });

  test('is announced to its owner when generated, with a mention of an earlier one only if there was one', async () => {
    const { id } = await givenMerchant();
    await generateApiKey(deps(), id);
    await generateApiKey(deps(), id);
    await deleteReadableKey(db, id);
    await generateApiKey(deps(), id);
    const notifications = db
      .selectFrom('notifications')
      .select(['title', 'body', 'data'])
      .where('merchant_id', '=', id)
      .orderBy('body');
    const common = { title: 'Chave de API nova', data: { type: 'security.api-key' } };
    const body = 'Uma chave de API nova foi gerada na sua conta.';
    expect(await notifications.execute()).toEqual([
      { ...common, body },
      { ...common, body },
      { ...common, body: `${body} A anterior deixou de valer.` },
    ]);
  });

  test('is the only valid one of five generated concurrently', async () => {
    const { id } = await givenMerchant();
    const keys = await Promise.all(Array.from({ length: 5 }, () => generateApiKey(deps(), id)));
    const results = await Promise.allSettled(
      keys.map(({ apiKey }) => authenticateApiKey(deps(), apiKey, '203.0.113.7')),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('is generated as active or inactive, as the account’s API is', async () => {
    const { id } = await givenMerchant();
    expect(await generateApiKey(deps(), id)).toMatchObject({ active: true });
    await db.updateTable('users').set({ api_active: false }).where('id', '=', id).execute();
    expect(await generateApiKey(deps(), id)).toMatchObject({ active: false });
  });

  test('is not readable anywhere in the database', async () => {
    const { id } = await givenMerchant();
    const { apiKey } = await generateApiKey(deps(), id);
    const row = await db
      .selectFrom('api_keys')
      .selectAll()
      .where('merchant_id', '=', id)
      .executeTakeFirstOrThrow();
    expect(row.masked_key).toBe(`jgd_••••••••${apiKey.slice(-4)}`);
    const secret = apiKey.slice(4, -4);
    for (const column of [row.key_hash, row.sealed_key])
      expect(column.toString('latin1') + column.toString('hex')).not.toContain(secret);
  });

  test('records its use at most once a minute', async () => {
    const { id } = await givenMerchant();
    const { apiKey } = await generateApiKey(deps(), id);
    const uses = new Set<number | undefined>();
    for (const seconds of [0, 30, 29, 30]) {
      clock.shift(seconds * 1000);
      await authenticateApiKey(deps(), apiKey, '203.0.113.7');
      const row = await db
        .selectFrom('api_keys')
        .select('last_used_at')
        .where('merchant_id', '=', id)
        .executeTakeFirstOrThrow();
      uses.add(row.last_used_at?.getTime());
    }
    expect(uses.size).toBe(2);
  });
});

describe('showing a key', () => {
  test('requires the password, unless it was given within five minutes', async () => {
    const { id, token, caller, password } = await givenMerchant();
    const { apiKey } = await generateApiKey(deps(), id);
    const masked = `jgd_••••••••${apiKey.slice(-4)}`;
    expect(await readApiKeyStatus(deps(), caller)).toMatchObject({
      hasKey: true,
      active: true,
      key: apiKey,
      masked,
    });

    clock.shift(300_000);
    expect(await readApiKeyStatus(deps(), caller)).toMatchObject({
      hasKey: true,
      active: true,
      key: null,
      masked,
    });
    await expect(revealApiKey(deps(), caller, 'errada')).rejects.toMatchObject({
      code: 'PASSWORD_WRONG',
      status: 403,
    });
    expect(await revealApiKey(deps(), caller, password)).toEqual({ key: apiKey });
    const renewedCaller = await authenticateSession(deps(), token);
    expect((await readApiKeyStatus(deps(), renewedCaller)).key).toBe(apiKey);
  });

  test('shows only the merchant’s own key, or that the merchant has none', async () => {
    const [owner, other] = [await givenMerchant(), await givenMerchant()];
    await generateApiKey(deps(), owner.id);
    expect(await readApiKeyStatus(deps(), other.caller)).toMatchObject({ hasKey: false, key: null });
    await expect(revealApiKey(deps(), other.caller, other.password)).rejects.toMatchObject({
      code: 'API_KEY_REQUIRED',
    });
  });
});
