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
import { type Binaries, embeddedBinaries } from './embedded-binaries.ts';
import { candidateLaunchMethods, changeOwner, type LaunchMethod } from './embedded-launch-methods.ts';
import { readPostmasterFile, stopLeftoverPostmaster, stopPostmaster } from './postmaster.ts';

export type EmbeddedPostgresOptions = {
  /** A directory used by PostgreSQL alone. Created if missing; one process at a time may use it. */
  dataDir: string;
  /** Server settings (`postgresql.conf` names), which override ours. */
  settings?: Readonly<Record<string, string>>;
  /** False only in tests: without fsync a crash of the machine (not of a process) may lose everything. */
  durable?: boolean;
  /** How long to wait for another process to release the directory; 5,000 by default. */
  lockTimeoutMs?: number;
  /** Returns the ways to run PostgreSQL, best first. Only tests set this option. */
  launchMethods?: (cluster: string) => readonly LaunchMethod[];
};

export type EmbeddedPostgres = {
  /** The version of PostgreSQL, for example `18.4`. */
  readonly version: string;
  readonly port: number;
  readonly pid: number;
  /** The description of the way in which PostgreSQL is run. */
  readonly launchMethod: string;
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

/** Where and how PostgreSQL runs. `cluster` is PostgreSQL's own data directory inside `directory`. */
type Installation = {
  directory: string;
  cluster: string;
  binaries: Binaries;
  launchMethod: LaunchMethod;
  version: string;
};

/** Thrown if another process is using the data directory. */
export class DatabaseInUse extends Error {
  override name = 'DatabaseInUse';
}

/**
 * Starts the bundled PostgreSQL on a free loopback port. The first start creates its cluster: UTF-8, sorted by code
 * point (which is the same on every machine), with page checksums, durable. If a killed process left its server
 * running, that server is stopped first, without loss of data.
 * @throws if another process uses the directory, or PostgreSQL does not start (the message ends with its log)
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const directory = resolve(options.dataDir);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const lock = await lockWithTimeout(directory, options.lockTimeoutMs ?? 5_000);
  if (lock === undefined) throw new DatabaseInUse(`Another process is using the database in ${directory}`);
  try {
    const installation = findInstallation(directory, options.launchMethods ?? candidateLaunchMethods);
    await stopLeftoverPostmaster(installation.cluster);
    removeLeftovers(directory);
    const password = readOrCreatePassword(installation);
    if (!existsSync(installation.cluster)) createCluster(installation, options.durable ?? true);
    refuseOtherMajorVersion(installation);
    const server = await startServer(installation, settingsOf(installation, options));
    const exited = server.exited.then(lock.release);
    return {
      ...server,
      ...connectionDetails(installation, password, server.port),
      exited,
      stop: stopOnce(server.pid, exited),
    };
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

async function lockWithTimeout(directory: string, lockTimeoutMs: number): Promise<DirectoryLock | undefined> {
  const deadline = performance.now() + lockTimeoutMs;
  for (;;) {
    const lock = await lockDirectory(directory);
    if (lock !== undefined || performance.now() >= deadline) return lock;
    await sleep(50);
  }
}

function connectionDetails(installation: Installation, password: string, port: number) {
  return {
    version: installation.version,
    launchMethod: installation.launchMethod.description,
    url: (database: string) => {
      const url = new URL(
        `postgres://postgres:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}`,
      );
      if (canUseSocket(installation)) url.searchParams.set('host', installation.directory);
      return url.href;
    },
  };
}

function stopOnce(pid: number, exited: Promise<void>): () => Promise<void> {
  let stopping: Promise<void> | undefined;
  return () => {
    stopping ??= stopPostmaster(pid, exited);
    return stopping;
  };
}

/** Finds the first way in which PostgreSQL can both run its programs and write to the directory. */
function findInstallation(
  directory: string,
  launchMethods: (cluster: string) => readonly LaunchMethod[],
): Installation {
  const cluster = clusterIn(directory);
  const binaries = embeddedBinaries();
  const failures: string[] = [];
  for (const launchMethod of launchMethods(cluster)) {
    changeOwner(directory, launchMethod);
    const check = 'test -w "$0" && test -x "$0" && exec "$1" --version';
    const command = ['/bin/sh', '-c', check, directory, binaries.postgres];
    const { status, stdout, stderr, error } = runBy(launchMethod, command, directory);
    const version = /(\d+\.\d+)/.exec(stdout ?? '')?.[1];
    if (status === 0 && version !== undefined) return { directory, cluster, binaries, launchMethod, version };
    failures.push(`as ${launchMethod.description}: ${error?.message ?? (stderr.trim() || 'no access')}`);
  }
  throw new Error(`PostgreSQL can neither run nor write in ${directory} (${failures.join('; ')})`);
}

/** Removes what a killed process or server left behind: incomplete clusters and stale sockets. */
function removeLeftovers(directory: string): void {
  for (const name of readdirSync(directory)) {
    if (!name.startsWith('draft-') && !name.startsWith('.s.PGSQL.')) continue;
    rmSync(join(directory, name), { recursive: true, force: true });
  }
}

/** Hides environment variables that refer to another server (PGDATA, PGPORT, LANG ...) from PostgreSQL. */
function environment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' };
}

function runBy({ prefix }: LaunchMethod, command: readonly string[], cwd: string) {
  const [program = '', ...args] = [...prefix, ...command];
  return spawnSync(program, args, { cwd, env: environment(), encoding: 'utf8' });
}

/**
 * Returns the superuser's password, which the first start generates and stores in a file that only its owner can read.
 */
function readOrCreatePassword({ directory, launchMethod }: Installation): string {
  const file = join(directory, 'password');
  if (!existsSync(file)) {
    const draft = `${file}.new`;
    rmSync(draft, { force: true });
    writeFileSync(draft, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true });
    changeOwner(draft, launchMethod);
    renameSync(draft, file);
    syncDirectory(directory);
  }
  return readFileSync(file, 'utf8').trim();
}

/**
 * Creates the cluster in a draft directory and then renames the directory, so that an incomplete cluster is never
 * mistaken for a complete one.
 */
function createCluster({ directory, cluster, binaries, launchMethod }: Installation, durable: boolean): void {
  const draft = join(directory, `draft-${randomBytes(4).toString('hex')}`);
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const access = ['--username=postgres', `--pwfile=${join(directory, 'password')}`, '--auth=scram-sha-256'];
  const durabilityFlags = ['--data-checksums', durable ? '--sync-method=fsync' : '--no-sync'];
  const command = [
    binaries.initdb,
    ...locale,
    ...access,
    ...durabilityFlags,
    '--no-instructions',
    `--pgdata=${draft}`,
  ];
  const { status, stdout, stderr, error } = runBy(launchMethod, command, directory);
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

function refuseOtherMajorVersion({ cluster, version }: Installation): void {
  const major = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  if (major === version.split('.')[0]) return;
  throw new Error(
    `${cluster} belongs to PostgreSQL ${major}, this is ${version}: dump it there, restore it here`,
  );
}

/** A socket costs less per statement than TCP, but its full path must fit into 107 bytes (103 on some systems). */
function canUseSocket({ directory }: Installation): boolean {
  return process.platform !== 'win32' && Buffer.byteLength(join(directory, '.s.PGSQL.65535.lock')) <= 103;
}

function settingsOf(
  installation: Installation,
  { settings, durable = true }: EmbeddedPostgresOptions,
): Record<string, string> {
  const durability = durable ? 'on' : 'off';
  return {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: canUseSocket(installation) ? installation.directory : '',
    fsync: durability,
    synchronous_commit: 'on',
    full_page_writes: durability,
    // The first change of a page after a checkpoint logs the whole page, so fewer checkpoints write far less.
    max_wal_size: '4GB',
    checkpoint_timeout: '15min',
    shared_buffers: '256MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '%m [%p] ',
    ...settings,
  };
}

type Server = { port: number; pid: number; exited: Promise<void> };

/**
 * Starts the server. Retries if another program has taken the port meanwhile, or if sessions of a killed server are
 * still ending.
 */
async function startServer(installation: Installation, settings: Record<string, string>): Promise<Server> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const serverOrFailure = await startServerOn(port, installation, settings);
    if (typeof serverOrFailure !== 'string') return serverOrFailure;
    const isTransient = /address already in use|shared memory block .* still in use/i.test(serverOrFailure);
    if (!isTransient || attempt === 10) throw new Error(`PostgreSQL does not start: ${serverOrFailure}`);
    await sleep(100 * attempt);
  }
}

/** Resolves to the running server, or, if PostgreSQL exited, to a text with the reason and its log output. */
async function startServerOn(
  port: number,
  installation: Installation,
  settings: Record<string, string>,
): Promise<Server | string> {
  const log = openLog(installation);
  const child = spawnServer(port, installation, settings, log.descriptor);
  closeSync(log.descriptor);
  let exitReason: string | undefined;
  const exited = new Promise<void>((resolve) => {
    const recordExit = (reason: string) => {
      exitReason ??= reason;
      resolve();
    };
    child.once('error', (error) => recordExit(error.message));
    child.once('exit', () => recordExit(''));
  });
  while (exitReason === undefined) {
    const file = readPostmasterFile(installation.cluster);
    if (file !== undefined && file.pid === child.pid && file.ready) return { port, pid: file.pid, exited };
    await Promise.race([sleep(15), exited]);
  }
  const output = readFileSync(log.path).subarray(log.startOffset).toString('utf8').trim();
  return `${exitReason} ${output.slice(-2_000)}`.trim();
}

function spawnServer(
  port: number,
  installation: Installation,
  settings: Record<string, string>,
  logDescriptor: number,
): ChildProcess {
  const { launchMethod, binaries, cluster, directory } = installation;
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const [program = '', ...args] = [
    ...launchMethod.prefix,
    binaries.postgres,
    '-D',
    cluster,
    '-p',
    `${port}`,
    ...flags,
  ];
  // `detached` puts PostgreSQL into a terminal session of its own: Ctrl-C then reaches only the gateway, which stops
  // its database last.
  const stdio: ['ignore', number, number] = ['ignore', logDescriptor, logDescriptor];
  const child = spawn(program, args, { cwd: directory, env: environment(), detached: true, stdio });
  child.unref();
  return child;
}

/** A log longer than this is moved aside at the next start. */
const MAX_LOG_BYTES = 16 * 1024 * 1024;

/** Opens the server's log. `startOffset` is where the output of this start begins. */
function openLog({ directory }: Installation): { path: string; descriptor: number; startOffset: number } {
  const path = join(directory, 'server.log');
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MAX_LOG_BYTES) renameSync(path, `${path}.1`);
  const descriptor = openSync(path, 'a', 0o600);
  return { path, descriptor, startOffset: size > MAX_LOG_BYTES ? 0 : size };
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
