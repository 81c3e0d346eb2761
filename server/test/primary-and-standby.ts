import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/db/embedded.ts';
import { candidateLaunchMethods } from '../src/db/embedded-launch-methods.ts';
import { withParentDeathSignal } from './cluster.ts';
import { type SilentProxy, startSilentProxy } from './silent-proxy.ts';

/** How a primary fails: its processes end (`kill`), stop running (`freeze`), or become unreachable (`partition`). */
export type Failure = 'kill' | 'freeze' | 'partition';

/**
 * A PostgreSQL and its standby, whose roles change with each failover. Clients reach each server through a proxy, so
 * that the two addresses never change.
 */
export class PrimaryAndStandby {
  readonly #directory: string;
  readonly #isSynchronous: boolean;
  #primary: Place;
  #standby: Place;
  #clusters = 0;

  private constructor(directory: string, isSynchronous: boolean, primary: Place, standby: Place) {
    this.#directory = directory;
    this.#isSynchronous = isSynchronous;
    this.#primary = primary;
    this.#standby = standby;
  }

  /** Starts both servers. If `synchronous`, a commit is acknowledged only after the standby has it. */
  static async start(directory: string, { synchronous }: { readonly synchronous: boolean }) {
    const server = await startServer(join(directory, 'first'));
    const primary = await openPlace(server);
    const standby = await openPlace(server);
    const pair = new PrimaryAndStandby(directory, synchronous, primary, standby);
    await pair.addStandby();
    return pair;
  }

  /** Returns the URL of both servers, as an operator would configure it, for a database URL of the primary. */
  urlOfBoth(primaryUrl: string): string {
    const [one, other] = [this.#primary, this.#standby].map(
      ({ clients }) => new URL(clients.url(primaryUrl)),
    );
    if (one === undefined || other === undefined) throw new Error('Two servers have two addresses.');
    return one.href.replace(one.host, `${one.host},${other.host}`);
  }

  /** The URL of a database at the current primary, not through the proxy. */
  primaryUrl(database: string): string {
    return tcpUrl(this.#primary.server, database);
  }

  /** The URL of a database at the current standby, not through the proxy. */
  standbyUrl(database: string): string {
    return tcpUrl(this.#standby.server, database);
  }

  /** Waits until the standby has everything that is committed by now. */
  async waitUntilReplicated(): Promise<void> {
    const [row] = await query(this.#primary.server, 'select pg_current_wal_flush_lsn()::text as lsn');
    const laggingStandbyQuery = `select from pg_stat_replication where replay_lsn < '${Object(row).lsn}'`;
    while ((await query(this.#primary.server, laggingStandbyQuery)).length > 0) await sleep(20);
  }

  /** From now on, the standby receives nothing that the primary commits. */
  cutReplication(): void {
    silence(this.#primary.replication);
  }

  failPrimary(failure: Failure): void {
    const { server, clients, replication } = this.#primary;
    if (failure === 'kill') process.kill(server.pid, 'SIGKILL');
    if (failure === 'freeze') for (const pid of processesOf(server)) process.kill(pid, 'SIGSTOP');
    if (failure === 'partition') for (const proxy of [clients, replication]) silence(proxy);
  }

  /** Makes the standby the primary. It does not wait for a standby, since it has none yet. */
  async promote(): Promise<void> {
    const { server } = this.#standby;
    await query(server, 'select pg_promote()');
    await query(server, "alter system set synchronous_standby_names = ''");
    await query(server, 'select pg_reload_conf()');
    [this.#primary, this.#standby] = [this.#standby, this.#primary];
  }

  /** Ends the former standby or primary, if there is one, and starts a new standby in its place. */
  async addStandby(): Promise<void> {
    const { server: former, clients, replication } = this.#standby;
    const { server: primary } = this.#primary;
    if (former !== primary) await end(former);
    this.#clusters += 1;
    const directory = join(this.#directory, `standby-${this.#clusters}`);
    await copyCluster(primary, directory);
    const source = new URL(this.#primary.replication.url(tcpUrl(primary, 'postgres')));
    const server = await startServer(directory, {
      primary_conninfo: `host=${source.hostname} port=${source.port} user=postgres password=${source.password} application_name=standby`,
    });
    for (const proxy of [clients, replication]) {
      proxy.setConnectionsRefused(true);
      proxy.setConnectionsRefused(false);
      proxy.setNewConnectionsSwallowed(false);
      proxy.redirectTo(tcpUrl(server, 'postgres'));
    }
    this.#standby = { ...this.#standby, server };
    if (this.#isSynchronous) {
      await query(primary, "alter system set synchronous_standby_names = '*'");
      await query(primary, 'select pg_reload_conf()');
    }
    const followingStandbyQuery = `select from pg_stat_replication where sync_state = '${this.#isSynchronous ? 'sync' : 'async'}'`;
    while ((await query(primary, followingStandbyQuery)).length === 0) await sleep(20);
  }

  async stop(): Promise<void> {
    for (const { server, clients, replication } of [this.#standby, this.#primary]) {
      await end(server);
      await clients.stop();
      await replication.stop();
    }
  }
}

/** A server and the two proxies in front of it, one for clients and one for its standby. */
type Place = {
  readonly server: Server;
  readonly clients: SilentProxy;
  readonly replication: SilentProxy;
};

type Server = EmbeddedPostgres & { readonly directory: string };

async function openPlace(server: Server): Promise<Place> {
  const [clients, replication] = await Promise.all(
    [1, 2].map(() => startSilentProxy(tcpUrl(server, 'postgres'))),
  );
  if (clients === undefined || replication === undefined) throw new Error('Two proxies were started.');
  return { server, clients, replication };
}

async function startServer(directory: string, settings: Record<string, string> = {}): Promise<Server> {
  const server = await startEmbeddedPostgres({
    dataDir: directory,
    // Written data survives the kill of a process even without fsync.
    durable: false,
    settings: { max_connections: '100', shared_buffers: '64MB', wal_keep_size: '1GB', ...settings },
    launchMethods: (cluster) => withParentDeathSignal(candidateLaunchMethods(cluster)),
  });
  return { ...server, directory };
}

function tcpUrl({ url }: EmbeddedPostgres, database: string): string {
  const byTcp = new URL(url(database));
  byTcp.searchParams.delete('host');
  return byTcp.href;
}

async function query(server: Server, sql: string): Promise<unknown[]> {
  const client = new pg.Client(tcpUrl(server, 'postgres'));
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Copies a running server's files into the folder of a new standby, as `pg_basebackup` does. */
async function copyCluster(source: Server, directory: string): Promise<void> {
  const client = new pg.Client(tcpUrl(source, 'postgres'));
  await client.connect();
  try {
    await client.query("select pg_backup_start('standby', true)");
    mkdirSync(directory, { mode: 0o700 });
    cpSync(join(source.directory, 'password'), join(directory, 'password'));
    const cluster = join(directory, 'cluster');
    execFileSync('cp', ['-a', join(source.directory, 'cluster'), cluster]);
    for (const name of ['postmaster.pid', 'postmaster.opts']) rmSync(join(cluster, name), { force: true });
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    writeFileSync(join(cluster, 'backup_label'), rows[0]?.labelfile ?? '', { mode: 0o600 });
    writeFileSync(join(cluster, 'standby.signal'), '', { mode: 0o600 });
  } finally {
    await client.end();
  }
}

function silence(proxy: SilentProxy): void {
  proxy.silenceOpen();
  proxy.setNewConnectionsSwallowed(true);
}

/** The main process of a server and those that it started. */
function processesOf({ pid }: Server): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return [pid, ...children.filter((child) => child !== '').map(Number)];
}

async function end(server: Server): Promise<void> {
  try {
    for (const pid of processesOf(server)) process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
  await server.exited;
  rmSync(server.directory, { recursive: true, force: true });
}
