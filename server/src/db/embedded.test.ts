import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { withParentDeathSignal } from '../../test/cluster.ts';
import { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from './embedded.ts';
import { candidateLaunchMethods } from './embedded-launch-methods.ts';
import { isRunningPostmaster, postmasterFilePath, readPostmasterFile } from './postmaster.ts';

let dataDir: string;
let started: EmbeddedPostgres[];

beforeEach(() => {
  // mkdtemp creates a directory that only its owner may enter, like a copy of the repository in root's home.
  dataDir = join(mkdtempSync(join(tmpdir(), 'jangada-embedded-')), 'postgres');
  started = [];
});

afterEach(async () => {
  for (const server of started) await server.stop();
  rmSync(join(dataDir, '..'), { recursive: true, force: true });
});

async function start(options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
  const launchMethods = (cluster: string) =>
    withParentDeathSignal(options.launchMethods?.(cluster) ?? candidateLaunchMethods(cluster));
  const server = await startEmbeddedPostgres({ dataDir, durable: false, ...options, launchMethods });
  started.push(server);
  return server;
}

/** The data of one first start, which tests of later starts copy. */
let preparedDirectory: string;

beforeAll(async () => {
  preparedDirectory = mkdtempSync(join(tmpdir(), 'jangada-embedded-made-'));
  const server = await startEmbeddedPostgres({
    dataDir: join(preparedDirectory, 'postgres'),
    durable: false,
    launchMethods: (cluster) => withParentDeathSignal(candidateLaunchMethods(cluster)),
  });
  await server.stop();
});

afterAll(() => rmSync(preparedDirectory, { recursive: true, force: true }));

function copyPreparedCluster(): void {
  // PostgreSQL checks owner and mode of its directory, which cp keeps.
  execFileSync('cp', ['-a', join(preparedDirectory, 'postgres'), dataDir]);
}

async function query(server: Pick<EmbeddedPostgres, 'url'>, text: string): Promise<unknown[][]> {
  const client = new Client({ connectionString: server.url('postgres') });
  await client.connect();
  try {
    return (await client.query<unknown[]>({ text, rowMode: 'array' })).rows;
  } finally {
    await client.end();
  }
}

/** Starts PostgreSQL in another process, and resolves when it is running. */
async function startElsewhere() {
  const module = JSON.stringify(new URL('./embedded.ts', import.meta.url).href);
  const script = `const { startEmbeddedPostgres } = await import(${module});
    const server = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, durable: false });
    console.log(server.pid + ' ' + server.url('postgres'));
    setInterval(() => {}, 1000);`;
  const args = ['--input-type=module', '--no-warnings', '-e', script];
  const parent = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(parent.stdout, 'data');
  const [pid, url] = String(line).trim().split(' ');
  return { parent, pid: Number(pid), url: () => String(url) };
}

async function killChild(child: ReturnType<typeof spawn>): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

describe('a first start', () => {
  test('creates a durable UTF-8 cluster with checksums, sorted by code point, that requires its password', async () => {
    const server = await start({ durable: true });
    const settingNames = ['fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums'];
    const settings = await query(
      server,
      `select setting from pg_settings where name = any('{${settingNames}}')`,
    );
    expect(settings).toEqual([['on'], ['on'], ['on'], ['on']]);
    const sorted = await query(server, "select x from unnest('{b,B,é,a}'::text[]) x order by x");
    expect(sorted.flat().join('')).toBe('Babé');
    expect(await query(server, "select upper('é'), current_setting('server_encoding')")).toEqual([
      ['É', 'UTF8'],
    ]);
    expect(await query(server, "select current_setting('server_version')")).toEqual([[server.version]]);

    const stranger = new Client({ connectionString: server.url('postgres').replace(/:[^:@]+@/, ':wrong@') });
    await expect(stranger.connect()).rejects.toThrow('password authentication failed');
  });

  test('stores the password readable by the owner only', async () => {
    await start();
    expect(statSync(join(dataDir, 'password')).mode & 0o777).toBe(0o600);
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  });

  test('that was interrupted leaves a draft, which the next start removes', async () => {
    const first = await start();
    await first.stop();
    rmSync(join(dataDir, 'cluster', 'global'), { recursive: true });
    renameSync(join(dataDir, 'cluster'), join(dataDir, 'draft-0000'));
    expect(await query(await start(), 'select 1')).toEqual([[1]]);
    expect(existsSync(join(dataDir, 'draft-0000'))).toBe(false);
  });
});

describe('a restart', () => {
  beforeEach(copyPreparedCluster);

  test('keeps the data, and a second stop does nothing', async () => {
    const first = await start();
    await query(first, 'create table kept as select 42 as answer');
    await Promise.all([first.stop(), first.stop()]);
    expect(readPostmasterFile(join(dataDir, 'cluster'))).toBeUndefined();
    expect(await query(await start(), 'select answer from kept')).toEqual([[42]]);
  });

  test('ends open sessions instead of waiting for them', async () => {
    const server = await start();
    const client = new Client({ connectionString: server.url('postgres') });
    client.on('error', () => {});
    await client.connect();
    await client.query('begin');
    await server.stop();
    await server.exited;
  });

  test('applies the given settings', async () => {
    const server = await start({ settings: { max_connections: '23' }, durable: false });
    expect(await query(server, 'show max_connections')).toEqual([['23']]);
    expect(await query(server, 'show fsync')).toEqual([['off']]);
  });

  test('reports PostgreSQL’s own message if it does not start', async () => {
    await expect(start({ settings: { no_such_setting: '1' } })).rejects.toThrow('no_such_setting');
    expect(await query(await start(), 'select 1')).toEqual([[1]]);
  });
});

describe('a directory in use', () => {
  beforeEach(copyPreparedCluster);

  test('is refused while the process that uses it lives, be it another process or this one', async () => {
    const { parent, pid } = await startElsewhere();
    try {
      await expect(start({ lockTimeoutMs: 0 })).rejects.toThrow('Another process is using the database');
      expect(readPostmasterFile(join(dataDir, 'cluster'))?.pid).toBe(pid);
    } finally {
      await killChild(parent);
    }
    await start();
    await expect(start({ lockTimeoutMs: 0 })).rejects.toThrow('Another process is using the database');
  });

  test('is given to one of two concurrent starts', async () => {
    const results = await Promise.allSettled([start({ lockTimeoutMs: 0 }), start({ lockTimeoutMs: 0 })]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('is waited for while the process that uses it releases it', async () => {
    const first = await start();
    const [second] = await Promise.all([start(), first.stop()]);
    expect(await query(second, 'select 1')).toEqual([[1]]);
  });
});

describe('after a kill -9', () => {
  beforeEach(copyPreparedCluster);

  test('of the parent process, the surviving server is stopped and its commits are kept', async () => {
    const orphan = await startElsewhere();
    const orphanServer = { pid: orphan.pid, directory: join(dataDir, 'cluster'), ready: true };
    await query(orphan, 'create table kept as select 42 as answer');
    await killChild(orphan.parent);
    expect(isRunningPostmaster(orphanServer)).toBe(true);
    expect(await query(await start(), 'select answer from kept')).toEqual([[42]]);
    expect(isRunningPostmaster(orphanServer)).toBe(false);
  });

  test('of the server, the parent process is notified and the next start recovers the data', async () => {
    const first = await start();
    await query(first, 'create table kept as select 42 as answer');
    process.kill(first.pid, 'SIGKILL');
    await first.exited;
    expect(readPostmasterFile(join(dataDir, 'cluster'))?.pid).toBe(first.pid);
    expect(await query(await start(), 'select answer from kept')).toEqual([[42]]);
  });

  test('a pid file with another program’s number does not prevent the next start', async () => {
    const first = await start();
    await first.stop();
    const cluster = join(dataDir, 'cluster');
    const stranger = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    try {
      writeFileSync(
        postmasterFilePath(cluster),
        `${stranger.pid}\n${cluster}\n1700000000\n5432\n\n\n\nready   \n`,
      );
      expect(await query(await start(), 'select 1')).toEqual([[1]]);
      expect(stranger.exitCode).toBeNull();
    } finally {
      await killChild(stranger);
    }
  });
});

describe('without user namespaces', () => {
  const launchMethods = (cluster: string) =>
    candidateLaunchMethods(cluster).filter(({ prefix }) => !prefix.includes('unshare'));

  test('PostgreSQL runs in a directory that only its creator may enter, and not as root', async () => {
    const server = await start({ launchMethods });
    expect(statSync(join(dataDir, 'cluster')).uid).not.toBe(0);
    expect(await query(server, 'select 1')).toEqual([[1]]);
    if (process.platform !== 'linux') return;
    expect(readFileSync(`/proc/${server.pid}/status`, 'utf8')).not.toMatch(/^Uid:\s+0\s/m);
  });

  test('a directory that others may enter needs no privileges', async () => {
    chmodSync(join(dataDir, '..'), 0o711);
    await start({ launchMethods });
    await started[0]?.stop();
    expect(await query(await start({ launchMethods: candidateLaunchMethods }), 'select 1')).toEqual([[1]]);
  });

  test('an existing cluster created by root still works, and one created by an ordinary user keeps that owner', async () => {
    await query(await start(), 'create table kept as select 42 as answer');
    await started[0]?.stop();
    expect(await query(await start({ launchMethods }), 'select answer from kept')).toEqual([[42]]);
    const { uid } = statSync(join(dataDir, 'cluster'));
    await started[1]?.stop();
    await start();
    expect(statSync(join(dataDir, 'cluster')).uid).toBe(uid);
  });
});
