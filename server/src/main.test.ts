import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startTestBank, type TestBank } from '../test/bank.ts';
import { childEnv } from '../test/child-env.ts';
import { createTestDatabase, type TestDatabase } from '../test/database.ts';
import { findFreePort } from '../test/free-port.ts';
import { insertMerchant } from '../test/merchant-row.ts';
import { connectClient } from './db/client.ts';
import { migrate } from './db/migrate.ts';
import { openDatabase } from './db/open-database.ts';
import { createDb, createPool } from './db/pool.ts';

const program = fileURLToPath(new URL('./main.ts', import.meta.url));

let database: TestDatabase;
let bank: TestBank;
let dataDir: string;
let port: number;
const children: ChildProcess[] = [];

beforeAll(async () => {
  [database, bank, port] = await Promise.all([createTestDatabase(), startTestBank(), findFreePort()]);
  dataDir = mkdtempSync(join(tmpdir(), 'jangada-main-'));
  await addAccount(database);
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});
afterAll(async () => {
  await bank.stop();
  await database.drop();
  rmSync(dataDir, { recursive: true });
});

/** Adds an account to a database, since an empty database would get the demo, which takes a while. */
async function addAccount({ appUrl }: Pick<TestDatabase, 'appUrl'>): Promise<void> {
  const db = createDb(createPool({ url: appUrl, max: 1 }));
  await insertMerchant(db);
  await db.destroy();
}

function start(env: Record<string, string>) {
  const child = spawn(process.execPath, [program], {
    env: { ...childEnv, DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const output = { out: '', err: '' };
  child.stdout.on('data', (text) => (output.out += text));
  child.stderr.on('data', (text) => (output.err += text));
  const exited = once(child, 'close').then(([code]) => code as number | null);
  return { child, output, exited };
}

function startOnTestDatabase(env: Record<string, string> = {}) {
  return start({
    PORT: String(port),
    SANDBOX_PORT: String(bank.port),
    DATABASE_URL: database.appUrl,
    MIGRATION_DATABASE_URL: database.ownerUrl,
    ...env,
  });
}

const readHealthStatus = () =>
  request(`http://127.0.0.1:${port}/api/health`).then(
    ({ statusCode }) => statusCode,
    () => 0,
  );

test.each([
  [{ PORT: 'abc' }, /^PORT deve ser um número inteiro de 1 a 65535\n$/],
  [
    { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
    /^DATABASE_URL aponta para um PostgreSQL que não atende: .*\n$/,
  ],
])('a wrong setting ends the start with one line and code 1: %j', async (env, line) => {
  const { output, exited } = start(env);
  expect(await exited).toBe(1);
  expect(output.err).toMatch(line);
});

test('the gateway starts, prints its addresses, shuts down in order, and starts again on its data', async () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const { child, output, exited } = startOnTestDatabase();
    await expect
      .poll(() => output.out + output.err)
      .toContain(`Banco Sandbox: http://localhost:${bank.port}`);
    expect(output.out).toContain(`Jangada: http://localhost:${port}`);
    expect(await readHealthStatus()).toBe(200);
    child.kill(signal);
    expect(await exited).toBe(0);
    expect(output.err).toBe('');
    expect(await readHealthStatus()).toBe(0);
  }
});

test('with another Pix key, another master key or none, the gateway does not start on this database', async () => {
  for (const [env, line] of [
    [{ PIX_KEY: 'other@example.com' }, /^PIX_KEY é other@example\.com, mas /],
    [{ SECRET_KEY: 'ab'.repeat(32) }, /^SECRET_KEY não é a chave/],
    [{ DATA_DIR: join(dataDir, 'elsewhere') }, /^SECRET_KEY falta: /],
  ] as const) {
    const { output, exited } = startOnTestDatabase(env);
    expect(await exited).toBe(1);
    expect(output.err).toMatch(line);
    expect(output.err.trim()).not.toContain('\n');
  }
});

test('a second gateway with its own database does not start with the same Pix key', async () => {
  const other = await createTestDatabase();
  const otherPort = await findFreePort();
  const { output, exited } = startOnTestDatabase({
    PORT: String(otherPort),
    DATA_DIR: join(dataDir, 'second'),
    DATABASE_URL: other.appUrl,
    MIGRATION_DATABASE_URL: other.ownerUrl,
  });
  expect(await exited).toBe(1);
  expect(output.err).toMatch(/^PIX_KEY: o banco já envia os avisos/);
  await other.drop();
});

test('if the gateway’s own PostgreSQL ends, the gateway ends too, with code 1, and starts again on the same data', async () => {
  const ownDir = mkdtempSync(join(tmpdir(), 'jangada-own-'));
  const ownPort = await findFreePort();
  const env = {
    PORT: String(ownPort),
    SANDBOX_PORT: String(bank.port),
    DATA_DIR: ownDir,
    PIX_KEY: 'own@example.com',
  };
  const startWithOwnDatabase = async () => {
    const started = start({ ...env, ROLE: 'worker' });
    const { output } = started;
    await expect.poll(() => output.out + output.err).toContain('Banco Sandbox: ');
    return started;
  };
  const ownDatabase = await openDatabase({
    dataDir: ownDir,
    databaseUrl: undefined,
    migrationDatabaseUrl: undefined,
  });
  await migrate({
    ownerUrl: ownDatabase.ownerUrl,
    ...(ownDatabase.appRole && { appRole: ownDatabase.appRole }),
  });
  await addAccount(ownDatabase);
  await ownDatabase.close();
  const first = await startWithOwnDatabase();
  const [pid] = readFileSync(join(ownDir, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n');
  process.kill(Number(pid), 'SIGKILL');
  expect(await first.exited).toBe(1);
  expect(first.output.err).toMatch(/^O PostgreSQL do gateway terminou sozinho: .*\n$/);
  const second = await startWithOwnDatabase();
  second.child.kill('SIGTERM');
  expect(await second.exited).toBe(0);
  expect(second.output.err).toBe('');
  rmSync(ownDir, { recursive: true });
});

test('with a single database role the gateway starts and warns', async () => {
  const singleRoleDatabase = await createTestDatabase();
  await addAccount(singleRoleDatabase);
  const { child, output, exited } = startOnTestDatabase({
    DATABASE_URL: singleRoleDatabase.ownerUrl,
    MIGRATION_DATABASE_URL: '',
    DATA_DIR: join(dataDir, 'lone'),
    ROLE: 'worker',
  });
  await expect.poll(readHealthStatus).toBe(200);
  expect(output.out).toContain('The gateway works as the owner of its tables');
  const { body } = await request(`http://127.0.0.1:${port}/api/health`);
  expect(await body.json()).toMatchObject({
    warnings: expect.arrayContaining(['works-as-owner']),
  });
  child.kill('SIGTERM');
  expect(await exited).toBe(0);
  await singleRoleDatabase.drop();
});

test('without the owner’s address a process works on a database that another one has migrated, and only on such a one', async () => {
  const migrated = await createTestDatabase();
  await addAccount(migrated);
  const settings = {
    DATABASE_URL: migrated.appUrl,
    MIGRATION_DATABASE_URL: '',
    DATA_DIR: join(dataDir, 'web'),
  };
  const { child, output, exited } = startOnTestDatabase({ ...settings, ROLE: 'worker' });
  await expect.poll(readHealthStatus).toBe(200);
  expect(output.out).not.toContain('The gateway works as the owner of its tables');
  child.kill('SIGTERM');
  expect(await exited).toBe(0);

  const owner = await connectClient(migrated.ownerUrl);
  await owner.query("delete from schema_migrations where name like '0024%'");
  await owner.end();
  const early = startOnTestDatabase(settings);
  expect(await early.exited).toBe(1);
  expect(early.output.err).toContain('first start a process with MIGRATION_DATABASE_URL');
  await migrated.drop();
});
