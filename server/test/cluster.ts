import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/db/embedded.ts';
import { candidateLaunchMethods, type LaunchMethod } from '../src/db/embedded-launch-methods.ts';
import { isRunningPostmaster } from '../src/db/postmaster.ts';

/**
 * The environment variable with the URL, as superuser, of the PostgreSQL that all test files share. If it is set before
 * the tests start, they use that server (15 or newer) and start none.
 */
export const CLUSTER_VARIABLE = 'TEST_POSTGRES_URL';

let cluster: EmbeddedPostgres | undefined;
let directory: string | undefined;

/** Extends ways to run PostgreSQL so that it ends with this process, even on kill -9. */
export function withParentDeathSignal(methods: readonly LaunchMethod[]): readonly LaunchMethod[] {
  if (process.platform !== 'linux') return methods;
  const dying = ['setpriv', '--pdeathsig', 'INT', '--'];
  return [...methods.map((method) => ({ ...method, prefix: [...method.prefix, ...dying] })), ...methods];
}

/**
 * Vitest calls this function once for each project that names this file, before the project's first test file. The
 * first call starts the server.
 */
export async function setup(): Promise<void> {
  if (process.env[CLUSTER_VARIABLE]) return;
  directory = mkdtempSync(join(tmpdir(), 'jangada-test-'));
  chmodSync(directory, 0o711);
  const settings = {
    max_connections: '300',
    shared_buffers: '256MB',
    max_wal_size: '4GB',
    // Role passwords protect nothing here, and strong hashes would slow every connection.
    scram_iterations: '1',
  };
  const dataDir = join(directory, 'postgres');
  cluster = await startEmbeddedPostgres({
    dataDir,
    durable: false,
    settings,
    launchMethods: (directory) => withParentDeathSignal(candidateLaunchMethods(directory)),
  });
  process.env[CLUSTER_VARIABLE] = cluster.url('postgres');
  process.once('exit', abandon);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
}

/** An interrupted run skips its teardown. Its data is worthless, so the server is killed and its folder removed. */
function abandon(): void {
  if (cluster === undefined || directory === undefined) return;
  try {
    process.kill(cluster.pid, 'SIGQUIT');
    const server = { pid: cluster.pid, directory: join(directory, 'postgres', 'cluster'), ready: true };
    const pause = new Int32Array(new SharedArrayBuffer(4));
    while (isRunningPostmaster(server)) Atomics.wait(pause, 0, 0, 20);
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
