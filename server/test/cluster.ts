import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/db/embedded.ts';
import { candidateAccounts, type PostgresUser } from '../src/db/embedded-account.ts';
import { isLivingPostmaster } from '../src/db/postmaster.ts';

/**
 * Where test files find the superuser's address of the one PostgreSQL that all of them share. Set from outside, it
 * names another server (15 or newer) for the tests to run on.
 */
export const CLUSTER_VARIABLE = 'TEST_POSTGRES_URL';

let cluster: EmbeddedPostgres | undefined;
let directory: string | undefined;

/** Accounts whose server also ends when this process does, however it ends, where the system can do that. */
export function mortal(accounts: readonly PostgresUser[]): readonly PostgresUser[] {
  if (process.platform !== 'linux') return accounts;
  const dying = ['setpriv', '--pdeathsig', 'INT', '--'];
  return [...accounts.map((account) => ({ ...account, prefix: [...account.prefix, ...dying] })), ...accounts];
}

/** Vitest calls this once before the first test file of each project that names it; the first call starts the server. */
export async function setup(): Promise<void> {
  if (process.env[CLUSTER_VARIABLE]) return;
  directory = mkdtempSync(join(tmpdir(), 'jangada-test-'));
  chmodSync(directory, 0o711);
  const settings = {
    max_connections: '300',
    shared_buffers: '256MB',
    max_wal_size: '4GB',
    // Passwords of roles guard nothing here, and each connection would pay for their strength.
    scram_iterations: '1',
  };
  const dataDir = join(directory, 'postgres');
  cluster = await startEmbeddedPostgres({
    dataDir,
    durable: false,
    settings,
    accounts: (directory) => mortal(candidateAccounts(directory)),
  });
  process.env[CLUSTER_VARIABLE] = cluster.url('postgres');
  process.once('exit', abandon);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
}

/** A run that is broken off never reaches its teardown: nothing of it is worth a shutdown, or a place on the disk. */
function abandon(): void {
  if (cluster === undefined || directory === undefined) return;
  try {
    process.kill(cluster.pid, 'SIGQUIT');
    const server = { pid: cluster.pid, directory: join(directory, 'postgres', 'cluster'), ready: true };
    const pause = new Int32Array(new SharedArrayBuffer(4));
    while (isLivingPostmaster(server)) Atomics.wait(pause, 0, 0, 20);
    rmSync(directory, { recursive: true, force: true });
  } catch {}
}

export async function teardown(): Promise<void> {
  if (cluster === undefined || directory === undefined) return;
  delete process.env[CLUSTER_VARIABLE];
  process.off('exit', abandon);
  await cluster.stop();
  rmSync(directory, { recursive: true, force: true });
}
