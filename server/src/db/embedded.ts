import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DirectoryLock, lockDirectory } from './directory-lock.ts';
import { candidateAccounts, handOver, type PostgresUser } from './embedded-account.ts';
import { type Binaries, embeddedBinaries } from './embedded-binaries.ts';
import { endLeftoverPostmaster, readPostmasterFile, stopPostmaster } from './postmaster.ts';

export type EmbeddedPostgresOptions = {
  /** A directory used by PostgreSQL alone. Created if missing; one process at a time may use it. */
  dataDir: string;
  /** Server settings (`postgresql.conf` names), which override ours. */
  settings?: Readonly<Record<string, string>>;
  /** False for tests only: no fsync, so a crash of the machine (not of a process) may lose everything. */
  durable?: boolean;
  /** How long to wait for another process that is releasing the directory. In milliseconds; default 5,000. */
  patience?: number;
  /** Accounts that PostgreSQL may run as, best first; lets tests choose one. */
  accounts?: (cluster: string) => readonly PostgresUser[];
};

export type EmbeddedPostgres = {
  /** For example `18.4`. */
  readonly version: string;
  readonly port: number;
  readonly pid: number;
  /** The account it runs as, for a log line. */
  readonly account: string;
  /**
   * Connection URL of the superuser `postgres` for a database on this server: by socket where possible, by TCP for
   * clients that ignore the `host` parameter. Contains the password.
   */
  url(database: string): string;
  /** Resolves when the server has exited, by `stop` or on its own. */
  readonly exited: Promise<void>;
  /** Ends sessions, writes a checkpoint and stops the server. May be called twice. */
  stop(): Promise<void>;
};

/** Where and how PostgreSQL runs; shared by all steps below. */
type Home = {
  directory: string;
  cluster: string;
  binaries: Binaries;
  account: PostgresUser;
  version: string;
};

/** Another process is using the data directory, so this one does not start. */
export class DatabaseInUse extends Error {
  override name = 'DatabaseInUse';
}

/**
 * Starts the bundled PostgreSQL on a free loopback port and creates its cluster on first start: UTF-8, sorted by code
 * point (the same everywhere), page checksums, durable. A server that outlived a killed process is stopped first,
 * without loss of data.
 * @throws when another process uses the directory, or PostgreSQL does not start (the message ends with its log)
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const directory = resolve(options.dataDir);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const lock = await lockInTime(directory, options.patience ?? 5_000);
  if (lock === undefined) throw new DatabaseInUse(`Another process is using the database in ${directory}`);
  try {
    const home = settle(directory, options.accounts ?? candidateAccounts);
    await endLeftoverPostmaster(home.cluster);
    sweep(directory);
    const password = keptPassword(home);
    if (!existsSync(home.cluster)) createCluster(home, options.durable ?? true);
    refuseOtherMajor(home);
    const server = await launch(home, settingsOf(home, options));
    const exited = server.exited.then(lock.release);
    return { ...server, ...describe(home, password, server.port), exited, stop: once(server.pid, exited) };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Returns whether this directory contains a cluster. */
export function hasCluster(dataDir: string): boolean {
  return existsSync(clusterIn(dataDir));
}

const clusterIn = (directory: string) => join(directory, 'cluster');

async function lockInTime(directory: string, patience: number): Promise<DirectoryLock | undefined> {
  const deadline = performance.now() + patience;
  for (;;) {
    const lock = await lockDirectory(directory);
    if (lock !== undefined || performance.now() >= deadline) return lock;
    await sleep(50);
  }
}

function describe(home: Home, password: string, port: number) {
  return {
    version: home.version,
    account: home.account.description,
    url: (database: string) => {
      const url = new URL(
        `postgres://postgres:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}`,
      );
      if (socketFits(home)) url.searchParams.set('host', home.directory);
      return url.href;
    },
  };
}

function once(pid: number, exited: Promise<void>): () => Promise<void> {
  let stopping: Promise<void> | undefined;
  return () => {
    stopping ??= stopPostmaster(pid, exited);
    return stopping;
  };
}

/** Finds the first account that can both run the programs and write to the directory. */
function settle(directory: string, accounts: (cluster: string) => readonly PostgresUser[]): Home {
  const cluster = clusterIn(directory);
  const binaries = embeddedBinaries();
  const failures: string[] = [];
  for (const account of accounts(cluster)) {
    handOver(directory, account);
    const check = 'test -w "$0" && test -x "$0" && exec "$1" --version';
    const command = ['/bin/sh', '-c', check, directory, binaries.postgres];
    const { status, stdout, stderr, error } = runAs(account, command, directory);
    const version = /(\d+\.\d+)/.exec(stdout ?? '')?.[1];
    if (status === 0 && version !== undefined) return { directory, cluster, binaries, account, version };
    failures.push(`as ${account.description}: ${error?.message ?? (stderr.trim() || 'no access')}`);
  }
  throw new Error(`PostgreSQL can neither run nor write in ${directory} (${failures.join('; ')})`);
}

/** Removes leftovers of a killed start or server: incomplete clusters and stale sockets. */
function sweep(directory: string): void {
  for (const name of readdirSync(directory)) {
    if (!name.startsWith('draft-') && !name.startsWith('.s.PGSQL.')) continue;
    rmSync(join(directory, name), { recursive: true, force: true });
  }
}

/** Hides environment variables that refer to another server (PGDATA, PGPORT, LANG ...) from PostgreSQL. */
function environment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' };
}

function runAs(account: PostgresUser, command: readonly string[], cwd: string) {
  const [program = '', ...args] = [...account.prefix, ...command];
  return spawnSync(program, args, { cwd, env: environment(), encoding: 'utf8' });
}

/** The superuser's password, generated on first start, readable by its owner only. */
function keptPassword({ directory, account }: Home): string {
  const file = join(directory, 'password');
  if (!existsSync(file)) {
    const draft = `${file}.new`;
    rmSync(draft, { force: true });
    writeFileSync(draft, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true });
    handOver(draft, account);
    renameSync(draft, file);
    syncDirectory(directory);
  }
  return readFileSync(file, 'utf8').trim();
}

/** Creates the cluster in a draft directory and renames it, so that an incomplete one is never taken for complete. */
function createCluster({ directory, cluster, binaries, account }: Home, durable: boolean): void {
  const draft = join(directory, `draft-${randomBytes(4).toString('hex')}`);
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const access = ['--username=postgres', `--pwfile=${join(directory, 'password')}`, '--auth=scram-sha-256'];
  const care = ['--data-checksums', durable ? '--sync-method=fsync' : '--no-sync'];
  const command = [binaries.initdb, ...locale, ...access, ...care, '--no-instructions', `--pgdata=${draft}`];
  const { status, stdout, stderr, error } = runAs(account, command, directory);
  if (status !== 0)
    throw new Error(`initdb failed: ${error?.message ?? `${stdout}\n${stderr}`.trim()}`, { cause: error });
  renameSync(draft, cluster);
  syncDirectory(directory);
}

/** A rename is durable only after fsync of its directory. */
function syncDirectory(directory: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(directory, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

function refuseOtherMajor({ cluster, version }: Home): void {
  const major = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  if (major === version.split('.')[0]) return;
  throw new Error(
    `${cluster} belongs to PostgreSQL ${major}, this is ${version}: dump it there, restore it here`,
  );
}

/** A socket costs less per statement than TCP. Its full path must fit into 107 bytes (103 on some systems). */
function socketFits({ directory }: Home): boolean {
  return process.platform !== 'win32' && Buffer.byteLength(join(directory, '.s.PGSQL.65535.lock')) <= 103;
}

function settingsOf(
  home: Home,
  { settings, durable = true }: EmbeddedPostgresOptions,
): Record<string, string> {
  const sure = durable ? 'on' : 'off';
  return {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: socketFits(home) ? home.directory : '',
    fsync: sure,
    synchronous_commit: 'on',
    full_page_writes: sure,
    // After each checkpoint the first change of a page writes it in full; fewer checkpoints write far less.
    max_wal_size: '4GB',
    checkpoint_timeout: '15min',
    shared_buffers: '256MB',
    // JIT compilation costs more than any statement here takes.
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '%m [%p] ',
    ...settings,
  };
}

type Server = { port: number; pid: number; exited: Promise<void> };

/** Retries when another program took the port first, or a killed server's sessions are still ending. */
async function launch(home: Home, settings: Record<string, string>): Promise<Server> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const result = await launchOn(port, home, settings);
    if (typeof result !== 'string') return result;
    const passing = /address already in use|shared memory block .* still in use/i.test(result);
    if (!passing || attempt === 10) throw new Error(`PostgreSQL does not start: ${result}`);
    await sleep(100 * attempt);
  }
}

/** Resolves to the running server, or to the reason and log output if it exited. */
async function launchOn(
  port: number,
  home: Home,
  settings: Record<string, string>,
): Promise<Server | string> {
  const log = openLog(home);
  const child = spawnServer(port, home, settings, log.descriptor);
  closeSync(log.descriptor);
  let ended: string | undefined;
  const exited = new Promise<void>((resolve) => {
    const end = (reason: string) => {
      ended ??= reason;
      resolve();
    };
    child.once('error', (error) => end(error.message));
    child.once('exit', () => end(''));
  });
  while (ended === undefined) {
    const file = readPostmasterFile(home.cluster);
    if (file !== undefined && file.pid === child.pid && file.ready) return { port, pid: file.pid, exited };
    await Promise.race([sleep(15), exited]);
  }
  return `${ended} ${readFileSync(log.path).subarray(log.size).toString('utf8').trim().slice(-2_000)}`.trim();
}

function spawnServer(port: number, home: Home, settings: Record<string, string>, log: number): ChildProcess {
  const { account, binaries, cluster, directory } = home;
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const [program = '', ...args] = [
    ...account.prefix,
    binaries.postgres,
    '-D',
    cluster,
    '-p',
    `${port}`,
    ...flags,
  ];
  // Its own session: Ctrl-C in the terminal reaches only the gateway, which stops its database last.
  const stdio: ['ignore', number, number] = ['ignore', log, log];
  const child = spawn(program, args, { cwd: directory, env: environment(), detached: true, stdio });
  child.unref();
  return child;
}

const LOG_LIMIT = 16 * 1024 * 1024;

function openLog({ directory }: Home): { path: string; descriptor: number; size: number } {
  const path = join(directory, 'server.log');
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_LIMIT) renameSync(path, `${path}.1`);
  const descriptor = openSync(path, 'a', 0o600);
  return { path, descriptor, size: size > LOG_LIMIT ? 0 : size };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
