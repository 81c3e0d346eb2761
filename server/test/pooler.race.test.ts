import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { migrate } from '../src/db/migrate.ts';
import { poolsTransactions } from '../src/db/pooling.ts';
import { findFreePort } from './free-port.ts';
import { startGatewayProcess } from './gateway-process.ts';
import { installForTests } from './install-for-tests.ts';
import { type KillableCluster, startKillableCluster } from './money/killable-cluster.ts';
import type { MoneyCall } from './money/load.ts';
import { seededRandom } from './money/random.ts';
import {
  expectBankMatchesBooks,
  findLost,
  repeatUnknownCalls,
  startTraffic,
  startTrafficStand,
  stopTrafficStand,
  waitUntilNothingIsPending,
} from './money/traffic-stand.ts';
import { observeDatabase } from './observer.ts';

// A gateway that reaches PostgreSQL through PgBouncer.

let directory: string;
let cluster: KillableCluster;
const poolers: ChildProcess[] = [];

beforeAll(async () => {
  installForTests('pgbouncer');
  directory = mkdtempSync(join(tmpdir(), 'jangada-pooler-'));
  // PgBouncer refuses to run as root.
  chmodSync(directory, 0o777);
  cluster = await startKillableCluster(join(directory, 'database'), { synchronousCommit: true });
});

afterAll(async () => {
  for (const pooler of poolers) {
    pooler.kill('SIGINT');
    await once(pooler, 'exit');
  }
  await cluster.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** Starts PgBouncer before the cluster with the settings of docs/high-availability.md. Returns the address to use. */
async function startPooler(mode: 'session' | 'transaction'): Promise<string> {
  const { port: serverPort, password } = new URL(cluster.url());
  const port = await findFreePort();
  const fileOf = (name: string) => join(directory, `${mode}-${name}`);
  writeFileSync(fileOf('users.txt'), `"postgres" "${password}"\n`);
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'plain',
    auth_file: fileOf('users.txt'),
    pool_mode: mode,
    default_pool_size: 40,
    max_client_conn: 100,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  writeFileSync(
    fileOf('pgbouncer.ini'),
    `[databases]\njangada = host=127.0.0.1 port=${serverPort}\n[pgbouncer]\n${lines.join('\n')}\n`,
  );
  const asNobody = ['--pdeathsig', 'INT', '--reuid', 'nobody', '--clear-groups', '--'];
  const pooler = spawn('setpriv', [...asNobody, 'pgbouncer', '--quiet', fileOf('pgbouncer.ini')], {
    stdio: 'ignore',
  });
  poolers.push(pooler);
  return `postgres://postgres:${password}@127.0.0.1:${port}/jangada`;
}

test('in session mode money moves as without a pooler', async () => {
  const url = await startPooler('session');
  const connect = () => observeDatabase(cluster.url());
  const stand = await startTrafficStand(directory, () => url, connect);
  onTestFinished(() => stopTrafficStand(stand));
  const moves: MoneyCall[] = [];
  const endTraffic = startTraffic(stand, seededRandom(1), moves);
  await sleep(5000);
  await endTraffic();
  expect(moves.filter(({ outcome }) => outcome === 'unknown')).toEqual([]);
  expect(await findLost(stand, moves)).toEqual([]);
  await repeatUnknownCalls(stand, moves);
  await waitUntilNothingIsPending(stand);
  await expectBankMatchesBooks(stand, moves);
});

test('in transaction mode the start is refused with a line that says why', async () => {
  const url = await startPooler('transaction');
  await expect.poll(() => poolsTransactions(url).catch(() => false)).toBe(true);
  await migrate({ ownerUrl: cluster.url() });
  const port = String(await findFreePort());
  await expect(
    startGatewayProcess({
      PORT: port,
      DATABASE_URL: url,
      DATA_DIR: directory,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
    }),
  ).rejects.toThrow(
    'DATABASE_URL passa por um pooler que troca de sessão a cada transação: use pool_mode = session, ou o endereço do próprio PostgreSQL',
  );
});
