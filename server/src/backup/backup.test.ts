import { execFile } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { childEnv } from '../../test/child-env.ts';
import { createEmptyDatabase, type TestDatabase } from '../../test/database.ts';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import {
  type GivenMerchant,
  givenMerchant,
  givenPaidPayment,
  givenPin,
  givenWithdrawal,
} from '../../test/given.ts';
import { createDb, createPool } from '../db/pool.ts';
import { createFiles } from '../files/index.ts';
import { readBalances } from '../ledger/index.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
const secretKey = Buffer.alloc(32, 7).toString('base64');
const directory = mkdtempSync(join(tmpdir(), 'jangada-backup-'));
const pictureName = 'kyc/1/7d9d9a52-0000-4000-8000-000000000000/selfie';

let gateway: TestGateway;
let merchant: GivenMerchant;
/** The folder of the backup that the first test takes and the others restore. */
let backup: string;
const databases: TestDatabase[] = [];

beforeAll(async () => {
  gateway = await startTestGateway();
  merchant = await givenMerchant(gateway);
  for (let count = 0; count < 3; count += 1) await givenPaidPayment(gateway, merchant);
  await givenPin(gateway, merchant);
  await givenWithdrawal(gateway, merchant);
  await gateway.deps.files.put(pictureName, Buffer.from('a picture'));
});
afterAll(async () => {
  await gateway?.stop();
  for (const database of databases) await database.drop();
  rmSync(directory, { recursive: true, force: true });
});

type ScriptResult = { readonly code: number; readonly out: string; readonly err: string };

/** Runs a script of ops/ as an operator does, with only these settings as its environment. */
async function runScript(
  script: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<ScriptResult> {
  const path = `${dirname(process.execPath)}:${childEnv['PATH']}`;
  const settings = { ...childEnv, PATH: path, SECRET_KEY: secretKey, ...env };
  try {
    const { stdout, stderr } = await promisify(execFile)(join(repository, 'ops', script), args, {
      env: settings,
    });
    return { code: 0, out: stdout, err: stderr };
  } catch (error) {
    if (!(error instanceof Error) || !('stdout' in error) || !('stderr' in error)) throw error;
    const code = 'code' in error ? Number(error.code) : -1;
    return { code, out: String(error.stdout), err: String(error.stderr) };
  }
}

const settingsOf = ({ appUrl, ownerUrl }: TestDatabase, dataDir: string) => ({
  DATABASE_URL: appUrl,
  MIGRATION_DATABASE_URL: ownerUrl,
  DATA_DIR: dataDir,
});

async function createRestoreTarget(name: string) {
  const database = await createEmptyDatabase();
  databases.push(database);
  const dataDir = join(directory, name);
  mkdirSync(dataDir);
  return { database, dataDir, settings: settingsOf(database, dataDir) };
}

test('a backup runs beside the gateway, is readable by its owner only, does not contain the master key, and expires after fourteen days', async () => {
  // Pending work would change the gateway between its backup and the comparison.
  await expect
    .poll(() => readBalances(gateway.deps.db, merchant.id))
    .toMatchObject({ in_transit: 0, fees: 150 });
  const folderNameDaysAgo = (days: number) =>
    `${new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 19).replaceAll(':', '')}Z`;
  const [old, younger] = [folderNameDaysAgo(15), folderNameDaysAgo(13)];
  for (const name of [old, younger]) mkdirSync(join(directory, 'kept', name), { recursive: true });
  const result = await runScript(
    'backup.sh',
    [join(directory, 'kept')],
    settingsOf(gateway.database, gateway.deps.config.dataDir),
  );
  expect(result).toMatchObject({ code: 0, err: '' });
  backup = result.out.trim().split('\n').at(-1) ?? '';
  expect(readdirSync(join(directory, 'kept')).sort()).toEqual([younger, backup.split('/').at(-1)]);
  expect(statSync(backup).mode & 0o077).toBe(0);
  for (const entry of readdirSync(backup, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    expect(statSync(path).mode & 0o077).toBe(0);
    if (entry.isFile()) expect(readFileSync(path).includes(secretKey)).toBe(false);
  }
});

test('a backup is restored into a new database: ledger and audit log verify, files open, and payouts are stopped', async () => {
  const { database, dataDir, settings } = await createRestoreTarget('new');
  const result = await runScript('restore.sh', [backup], settings);
  expect(result).toMatchObject({ code: 0, err: '' });
  expect(result.out).toContain('The books are right.');
  expect(result.out).toContain('The audit log is whole');
  const db = createDb(createPool({ url: database.appUrl, max: 2 }));
  try {
    expect(await readBalances(db, merchant.id)).toEqual(await readBalances(gateway.deps.db, merchant.id));
    const stamp = await db.selectFrom('gateway').select('payouts_stopped_because').executeTakeFirstOrThrow();
    expect(stamp.payouts_stopped_because).toContain('restaurado');
    // The triggers, which are disabled during a restore, are active again: this one protects the audit log.
    await expect(db.updateTable('audit_log').set({ action: 'other' }).execute()).rejects.toThrow();
    const config = {
      ...gateway.deps.config,
      files: { directory: join(dataDir, 'files'), bucket: undefined },
    };
    const files = createFiles({ config, secrets: gateway.deps.secrets });
    expect(String(await files.get(pictureName))).toBe('a picture');
  } finally {
    await db.destroy();
  }
});

test('a database in use, another master key and a damaged backup are refused, and nothing is overwritten', async () => {
  const inUse = settingsOf(gateway.database, join(directory, 'nowhere'));
  const overwriteAttempt = await runScript('restore.sh', [backup], inUse);
  expect(overwriteAttempt).toMatchObject({
    code: 1,
    err: expect.stringContaining('the database is not empty'),
  });

  const wrongKey = await createRestoreTarget('wrong-key');
  const otherKeySettings = { ...wrongKey.settings, SECRET_KEY: Buffer.alloc(32, 8).toString('base64') };
  const wrongKeyAttempt = await runScript('restore.sh', [backup], otherKeySettings);
  expect(wrongKeyAttempt).toMatchObject({ code: 1, err: expect.stringContaining('SECRET_KEY') });

  const damaged = await createRestoreTarget('damaged');
  appendFileSync(join(backup, 'tables', 'ledger_entries.copy.gz'), 'x');
  const damagedAttempt = await runScript('restore.sh', [backup], damaged.settings);
  expect(damagedAttempt).toMatchObject({
    code: 1,
    err: expect.stringContaining('ledger_entries.copy.gz is damaged'),
  });
});
