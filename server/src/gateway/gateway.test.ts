import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { machineClock } from '../clock.ts';
import { InvalidSetting, readConfig } from '../config.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import { createSecrets } from '../secrets.ts';
import { findOrCreateMasterKey } from './master-key.ts';
import { findUnsafeSettings, readDataDirectory } from './server-settings.ts';
import { readStamp, stampDatabase } from './stamp.ts';

const ownKey = Buffer.alloc(32, 1);

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
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
  dataDirectory = '/var/lib/postgres',
}: {
  env?: Record<string, string>;
  key?: Buffer;
  dataDirectory?: string;
} = {}) {
  return stampDatabase({
    db,
    clock: machineClock,
    config: readConfig(env),
    secrets: createSecrets(key),
    dataDirectory,
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
    expect(await readStamp(db)).toMatchObject({ mode: 'sandbox', psp: 'sandbox' });
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
    ['server', async () => stampedOn('78/00000001'), {}],
    ['directory', async () => {}, { dataDirectory: '/restored' }],
  ])('stops payouts on a different %s, and keeps them stopped after moving back', async (_name, move, to) => {
    await stampWith();
    const merchant_id = await insertMerchant(db);
    await db.updateTable('users').set({ role: 'ADMIN' }).where('id', '=', merchant_id).execute();
    await move();
    const reason = await stampWith(to);
    expect(reason).toMatch(/^o banco de dados (acordou em outro|mudou de)/);
    expect(await stampWith()).toMatch(/^o banco de dados (acordou em outro|mudou de)/);
    const notifications = await db
      .selectFrom('notifications')
      .select('body')
      .where('merchant_id', '=', merchant_id)
      .execute();
    expect(notifications).toContainEqual({ body: expect.stringContaining(String(reason)) });
    expect(await readStamp(db)).toMatchObject({ compare_with_bank_at: null });
  });

  test('on the same server after a failover, stops payouts for as long as the gateway compares with the bank', async () => {
    await stampWith();
    const { server = '' } = (await readStamp(db)) ?? {};
    await stampedOn(server.replace(/\/.*/, '/00000000'));
    expect(await stampWith({ dataDirectory: '/standby' })).toMatch(
      /^o banco de dados passou a outro servidor \(linha do tempo 1\)/,
    );
    expect(await readStamp(db)).toMatchObject({
      server,
      data_directory: '/standby',
      compare_with_bank_at: expect.any(Date),
    });
  });
});

/** Makes the database one that was last used on this server. */
const stampedOn = (server: string) => db.updateTable('gateway').set({ server }).execute();

test('the application recognizes the server that it is stamped with', async () => {
  await stampWith();
  expect((await readStamp(db))?.server).toMatch(/^\d{10,}\/[0-9A-F]{8}$/);
});

test('the owner of the tables reads the data directory only with a further right', async () => {
  expect(await readDataDirectory(database.ownerUrl)).toBe('');
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
    const key = findOrCreateMasterKey({
      configuredKey: undefined,
      dataDir: directory,
      isDatabaseInUse: false,
    });
    expect(key).toHaveLength(32);
    expect(statSync(join(directory, 'secret-key')).mode & 0o777).toBe(0o600);
    for (const isDatabaseInUse of [false, true])
      expect(
        findOrCreateMasterKey({ configuredKey: undefined, dataDir: directory, isDatabaseInUse }),
      ).toEqual(key);
  });

  test('is never created for a database in use', () => {
    const find = () => findOrCreateMasterKey({ configuredKey: undefined, dataDir, isDatabaseInUse: true });
    expect(find).toThrow(InvalidSetting);
    expect(find).toThrow(/^SECRET_KEY falta/);
    expect(() => readFileSync(join(dataDir, 'secret-key'))).toThrow('ENOENT');
  });

  test('from the settings takes precedence over a stored key', () => {
    findOrCreateMasterKey({ configuredKey: undefined, dataDir, isDatabaseInUse: false });
    expect(findOrCreateMasterKey({ configuredKey: ownKey, dataDir, isDatabaseInUse: true })).toBe(ownKey);
  });

  test('that is damaged is refused', () => {
    writeFileSync(join(dataDir, 'secret-key'), 'half');
    expect(() =>
      findOrCreateMasterKey({ configuredKey: undefined, dataDir, isDatabaseInUse: false }),
    ).toThrow(/^SECRET_KEY em .* danificada/);
  });
});
