import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { childEnv } from '../test/child-env.ts';
import { createTestDatabase, type TestDatabase } from '../test/database.ts';
import { insertMerchant } from '../test/merchant-row.ts';
import { checkpointAuditHead, insertAuditEntry } from './audit/index.ts';
import { machineClock } from './clock.ts';
import { readConfig } from './config.ts';
import { migrate } from './db/migrate.ts';
import { openDatabase } from './db/open-database.ts';
import { createDb, createPool, type Db } from './db/pool.ts';
import { inTransaction } from './db/transaction.ts';
import { readDataDirectory, stampDatabase } from './gateway/index.ts';
import { createSecrets } from './secrets.ts';

const command = fileURLToPath(new URL('verify-audit.ts', import.meta.url));
const ledgerCommand = fileURLToPath(new URL('verify-ledger.ts', import.meta.url));
const masterKey = Buffer.alloc(32, 7);
const dataDir = mkdtempSync(join(tmpdir(), 'jangada-verify-'));
let database: TestDatabase;
let db: Db;
let owner: Db;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDb(createPool({ url: database.appUrl }));
  owner = createDb(createPool({ url: database.ownerUrl, max: 1 }));
  const deps = {
    db,
    clock: machineClock,
    config: readConfig({ DATA_DIR: dataDir }),
    secrets: createSecrets(masterKey),
    log: pino({ level: 'silent' }),
  };
  await stampDatabase({ ...deps, dataDirectory: await readDataDirectory(database.ownerUrl) });
  const userId = await insertMerchant(db);
  const entry = { actor_id: 0, subject_id: userId, reason: 'teste', before: {}, after: { approved: true } };
  for (let count = 0; count < 3; count += 1)
    await inTransaction(deps, (tx) => insertAuditEntry(tx, { ...entry, action: 'user updated' }));
  await checkpointAuditHead(deps);
});
afterAll(async () => {
  await Promise.all([db.destroy(), owner.destroy()]);
  await database.drop();
  rmSync(dataDir, { recursive: true });
});

async function runVerifyCommand(env: Record<string, string> = {}, program = command) {
  const child = spawn(process.execPath, [program], {
    env: {
      ...childEnv,
      DATABASE_URL: database.appUrl,
      MIGRATION_DATABASE_URL: database.ownerUrl,
      DATA_DIR: dataDir,
      SECRET_KEY: masterKey.toString('base64'),
      ...env,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const [code] = await once(child, 'close');
  return { code, lines: output.trim().split('\n') };
}

test('without a database, or without a gateway in it, verifying creates nothing and says so in one line', async () => {
  const missingDir = join(dataDir, 'nowhere');
  const missingDatabase = { DATABASE_URL: '', MIGRATION_DATABASE_URL: '', DATA_DIR: missingDir };
  for (const program of [command, ledgerCommand])
    expect(await runVerifyCommand(missingDatabase, program)).toEqual({
      code: 2,
      lines: [`no database in ${missingDir}: is DATA_DIR right?`],
    });
  expect(existsSync(missingDir)).toBe(false);
  await (await openDatabase(readConfig({ DATA_DIR: missingDir }))).close();
  expect(await runVerifyCommand(missingDatabase)).toEqual({
    code: 2,
    lines: [`no database in ${missingDir}: is DATA_DIR right?`],
  });
  const foreignUrl = new URL(database.ownerUrl);
  foreignUrl.pathname = '/postgres';
  const foreignDatabase = { DATABASE_URL: foreignUrl.href, MIGRATION_DATABASE_URL: foreignUrl.href };
  expect(await runVerifyCommand(foreignDatabase)).toEqual({
    code: 2,
    lines: ['no gateway in this database: is DATABASE_URL right?'],
  });
});

test('the gateway’s own database can be verified while it is stopped', async () => {
  const config = readConfig({ DATA_DIR: join(dataDir, 'own') });
  const own = await openDatabase(config);
  await migrate({ ownerUrl: own.ownerUrl, ...(own.appRole && { appRole: own.appRole }) });
  await own.close();
  const env = { DATABASE_URL: '', MIGRATION_DATABASE_URL: '', DATA_DIR: config.dataDir };
  expect(await runVerifyCommand(env, ledgerCommand)).toEqual({ code: 0, lines: ['The books are right.'] });
});

test('audit:verify reports whether the log is complete, names each problem, and sets the exit code', async () => {
  expect(await runVerifyCommand()).toEqual({ code: 0, lines: ['The audit log is whole: 3 entries.'] });
  const wrongKey = await runVerifyCommand({ SECRET_KEY: Buffer.alloc(32, 8).toString('base64') });
  expect(wrongKey).toEqual({
    code: 2,
    lines: ['SECRET_KEY não é a chave com que este banco de dados começou'],
  });

  await owner.schema.alterTable('audit_chain').dropConstraint('audit_chain_entry_id_fkey').execute();
  for (const table of ['audit_log', 'audit_chain'] as const) {
    await sql`alter table ${sql.table(table)} disable trigger user`.execute(owner);
  }
  const { id } = await owner.selectFrom('audit_log').select('id').orderBy('id').executeTakeFirstOrThrow();
  await owner.updateTable('audit_log').set({ reason: 'outro' }).where('id', '=', id).execute();
  await owner.deleteFrom('audit_chain').where('position', '=', 3).execute();
  await owner
    .deleteFrom('audit_log')
    .where('id', '=', id + 2)
    .execute();
  const { code, lines } = await runVerifyCommand();
  expect(code).toBe(1);
  expect(lines).toEqual([
    `CHANGED · entry ${id} at position 1, unless it was moved there from another position`,
    'CUT OFF · 1 entries after position 2',
    'CUT OFF · the entry at position 3, written down outside the database, is gone',
    'The audit log is not as it was written: 3 findings, the first at the top.',
  ]);
});
