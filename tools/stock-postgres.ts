// PostgreSQL servers with their default settings, as operators have them. Most tests use the embedded server instead,
// which gets its settings from the gateway.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { embeddedBinaries } from '../server/src/db/embedded-binaries.ts';
import { findFreePort } from '../server/test/free-port.ts';
import { installForTests } from '../server/test/install-for-tests.ts';
import { runAsPostgres } from '../server/test/run-as-postgres.ts';

export type StockServer = { readonly url: string; stop(): void };

/**
 * The oldest PostgreSQL that the gateway supports, from Debian 12, and the newest, which comes with the gateway. Each
 * function returns the folder of the server's programs.
 */
const versions = {
  'PostgreSQL 15': () => {
    const folder = '/usr/lib/postgresql/15/bin';
    installForTests('postgresql-15', join(folder, 'initdb'));
    return folder;
  },
  'PostgreSQL 18': () => dirname(embeddedBinaries().initdb),
} as const;

export const stockVersions = Object.keys(versions) as (keyof typeof versions)[];

/** Starts a server with its defaults, except for what tests on one machine need: port, folder and connections. */
export async function startStockServer(version: keyof typeof versions): Promise<StockServer> {
  const folder = versions[version]();
  const directory = mkdtempSync(join(tmpdir(), 'jangada-stock-'));
  chmodSync(directory, 0o777);
  const data = join(directory, 'data');
  const run = runAsPostgres(folder, directory);
  run('initdb', '--username=postgres', '--auth=trust', '--encoding=UTF8', `--pgdata=${data}`);
  const port = await findFreePort();
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=300`;
  const log = join(directory, 'log');
  run('pg_ctl', 'start', '--wait', `--pgdata=${data}`, `--log=${log}`, `--options=${options}`);
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    stop() {
      run('pg_ctl', 'stop', '--wait', '--mode=fast', `--pgdata=${data}`);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
