import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findFreePort } from './free-port.ts';
import { runAsPostgres } from './run-as-postgres.ts';

/** Where Debian puts PostgreSQL 15, for which docs/cluster.md builds Citus. */
const binaries = '/usr/lib/postgresql/15/bin';
const citusLibrary = '/usr/lib/postgresql/15/lib/citus.so';

type Server = { readonly port: number; readonly data: string };

/** A Citus cluster on this machine: a coordinator and two workers. */
export class CitusCluster {
  readonly #directory: string;
  readonly #servers: readonly Server[];
  readonly #run: ReturnType<typeof runAsPostgres>;

  private constructor(directory: string, servers: readonly Server[]) {
    this.#directory = directory;
    this.#servers = servers;
    this.#run = runAsPostgres(binaries, directory);
  }

  static async start(): Promise<CitusCluster> {
    if (!existsSync(citusLibrary))
      throw new Error(
        `${citusLibrary} is missing: build Citus for PostgreSQL 15 (docs/cluster.md, "Testing").`,
      );
    const directory = mkdtempSync(join(tmpdir(), 'jangada-citus-'));
    chmodSync(directory, 0o777);
    const servers: Server[] = [];
    for (const name of ['coordinator', 'worker-1', 'worker-2'])
      servers.push({ port: await findFreePort(), data: join(directory, name) });
    const cluster = new CitusCluster(directory, servers);
    for (const server of servers) {
      cluster.#run(
        'initdb',
        '--username=postgres',
        '--auth=trust',
        '--encoding=UTF8',
        `--pgdata=${server.data}`,
      );
      cluster.#startServer(server);
    }
    return cluster;
  }

  /** The URL of a database at the coordinator, as superuser. */
  url(database: string): string {
    return urlOf(this.#servers[0], database);
  }

  /** The URLs of a database at the workers, as superuser. */
  workerUrls(database: string): string[] {
    return this.#servers.slice(1).map((server) => urlOf(server, database));
  }

  /** Creates a database on all servers, and makes it one database of the cluster. */
  async createDatabase(name: string): Promise<void> {
    for (const server of this.#servers) {
      await query(urlOf(server, 'postgres'), `create database ${name}`);
      await query(urlOf(server, name), 'create extension citus');
    }
    const [coordinator, ...workers] = this.#servers;
    await query(this.url(name), `select citus_set_coordinator_host('127.0.0.1', ${coordinator?.port})`);
    for (const { port } of workers)
      await query(this.url(name), `select citus_add_node('127.0.0.1', ${port})`);
  }

  /** Kills a worker, all of its processes at once, and starts it again. */
  killWorker(nth: 0 | 1): void {
    const server = this.#servers[nth + 1];
    if (server === undefined) throw new Error('no such worker');
    this.#run('pg_ctl', 'stop', '--wait', '--mode=immediate', `--pgdata=${server.data}`);
    this.#startServer(server);
  }

  stop(): void {
    for (const { data } of this.#servers)
      this.#run('pg_ctl', 'stop', '--wait', '--mode=immediate', `--pgdata=${data}`);
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #startServer({ port, data }: Server): void {
    const settings = {
      port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      // The second is for `bench -- cluster`, which counts what each server does; so are the next two settings.
      shared_preload_libraries: 'citus,pg_stat_statements',
      autovacuum: 'off',
      checkpoint_timeout: '1d',
      // Each transaction that wrote on several servers is prepared on each before it is committed.
      max_prepared_transactions: 300,
      max_connections: 300,
      // Every database of a cluster has a process for maintenance.
      max_worker_processes: 100,
      // To move shards without stopping writes.
      wal_level: 'logical',
    };
    const options = Object.entries(settings).map(([name, value]) => `-c ${name}='${value}'`);
    this.#run(
      'pg_ctl',
      'start',
      '--wait',
      `--pgdata=${data}`,
      `--log=${data}.log`,
      `--options=${options.join(' ')}`,
    );
  }
}

function urlOf(server: Server | undefined, database: string): string {
  return `postgres://postgres@127.0.0.1:${server?.port}/${database}`;
}

async function query(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
