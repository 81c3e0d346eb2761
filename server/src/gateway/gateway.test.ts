import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../test/database.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { machineClock } from '../clock.ts';
import { readConfig, WrongSetting } from '../config.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import { createSecrets } from '../secrets.ts';
import { findMasterKey } from './secret-key.ts';
import { findUnsafeSettings, readServerIdentity, type ServerIdentity } from './server-identity.ts';
import { readStamp, stampDatabase } from './stamp.ts';

const ownKey = Buffer.alloc(32, 1);
const identity: ServerIdentity = { systemIdentifier: '77', dataDirectory: '/var/lib/postgres' };

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await testDatabase();
  db = createDb(createPool({ url: database.appUrl, max: 4 }));
});
afterEach(async () => {
  await db.deleteFrom('gateway').execute();
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

function stampWith({
  env = {},
  key = ownKey,
  server = identity,
}: {
  env?: Record<string, string>;
  key?: Buffer;
  server?: ServerIdentity;
} = {}) {
  return stampDatabase({
    db,
    clock: machineClock,
    config: readConfig(env),
    secrets: createSecrets(key),
    identity: server,
  });
}

describe('the stamp', () => {
  test('is created by the first of concurrent starts, and accepts every later start', async () => {
    expect(await readStamp(db)).toBeUndefined();
    expect(await Promise.all([stampWith(), stampWith(), stampWith()])).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(await readStamp(db)).toMatchObject({ mode: 'sandbox', psp: 'sandbox', system_identifier: '77' });
    expect(await stampWith()).toBeUndefined();
  });

  test.each([
    [
      'PSP',
      {
        PSP: 'bacen',
        PSP_BASE_URL: 'https://b.example',
        PSP_TOKEN_URL: 'https://b.example',
        PSP_CLIENT_ID: 'a',
        PSP_CLIENT_SECRET: 'b',
        PIX_KEY: 'k@example.com',
        PUBLIC_URL: 'https://pay.example',
      },
    ],
    ['PIX_KEY', { PIX_KEY: 'another@example.com' }],
  ])('refuses a different %s', async (name, env) => {
    await stampWith();
    await expect(stampWith({ env })).rejects.toThrow(
      new RegExp(`^${name} é .*mas este banco de dados começou com`),
    );
    expect(await readStamp(db)).toMatchObject({ psp: 'sandbox', payouts_stopped_because: null });
  });

  test('refuses a different master key', async () => {
    await stampWith();
    await expect(stampWith({ key: Buffer.alloc(32, 2) })).rejects.toThrow(/^SECRET_KEY /);
  });

  test.each([
    ['server', { ...identity, systemIdentifier: '78' }],
    ['directory', { ...identity, dataDirectory: '/restored' }],
  ])('stops payouts on a different %s, and keeps them stopped after moving back', async (_name, server) => {
    await stampWith();
    const merchant_id = await insertMerchant(db);
    await db.updateTable('users').set({ role: 'ADMIN' }).where('id', '=', merchant_id).execute();
    const reason = await stampWith({ server });
    expect(reason).toMatch(/^o banco de dados (acordou em outro|mudou de)/);
    expect(await stampWith()).toBe(reason);
    const notifications = db
      .selectFrom('notifications')
      .select('body')
      .where('merchant_id', '=', merchant_id);
    expect(await notifications.execute()).toEqual([{ body: expect.stringContaining(String(reason)) }]);
    expect((await readStamp(db))?.payouts_stopped_because).toBe(reason);
  });
});

test('the owner of the tables can read the server’s identifier, but its data directory only with a further right', async () => {
  const serverIdentity = await readServerIdentity(database.ownerUrl);
  expect(serverIdentity.systemIdentifier).toMatch(/^\d{10,}$/);
  expect(serverIdentity.dataDirectory).toBe('');
});

test('settings that lose committed data in a crash are reported', async () => {
  const url = new URL(database.appUrl);
  url.searchParams.set('options', '-c synchronous_commit=off');
  const unsafeDb = createDb(createPool({ url: url.href, max: 1 }));
  expect(await findUnsafeSettings(unsafeDb)).toContain('synchronous_commit');
  expect(await findUnsafeSettings(db)).not.toContain('synchronous_commit');
  await unsafeDb.destroy();
});

describe('the master key', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'jangada-key-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  test('is created at the first start, readable by its owner only, and then kept', () => {
    const directory = join(dataDir, 'new');
    const key = findMasterKey({ configuredKey: undefined, dataDir: directory, isDatabaseInUse: false });
    expect(key).toHaveLength(32);
    expect(statSync(join(directory, 'secret-key')).mode & 0o777).toBe(0o600);
    for (const isDatabaseInUse of [false, true])
      expect(findMasterKey({ configuredKey: undefined, dataDir: directory, isDatabaseInUse })).toEqual(key);
  });

  test('is never created for a database in use', () => {
    const find = () => findMasterKey({ configuredKey: undefined, dataDir, isDatabaseInUse: true });
    expect(find).toThrow(WrongSetting);
    expect(find).toThrow(/^SECRET_KEY falta/);
    expect(() => readFileSync(join(dataDir, 'secret-key'))).toThrow('ENOENT');
  });

  test('from the settings takes precedence over a stored key', () => {
    findMasterKey({ configuredKey: undefined, dataDir, isDatabaseInUse: false });
    expect(findMasterKey({ configuredKey: ownKey, dataDir, isDatabaseInUse: true })).toBe(ownKey);
  });

  test('that is damaged is refused', () => {
    writeFileSync(join(dataDir, 'secret-key'), 'half');
    expect(() => findMasterKey({ configuredKey: undefined, dataDir, isDatabaseInUse: false })).toThrow(
      /^SECRET_KEY em .* danificada/,
    );
  });
});
