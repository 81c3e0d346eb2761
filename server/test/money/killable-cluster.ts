import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/db/embedded.ts';
import { candidateLaunchMethods } from '../../src/db/embedded-launch-methods.ts';
import { withParentDeathSignal } from '../cluster.ts';

/** A PostgreSQL of its own that can be killed as in a power cut, and restarted on its data. */
export type KillableCluster = {
  /** The URL of the database `jangada`, which changes with every start. */
  url(): string;
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
};

const database = 'jangada';

/**
 * Starts such a PostgreSQL. Without `synchronousCommit`, the latest commits are not written yet, and a kill loses them.
 * Written data survives the kill of a process even without fsync, which only protects against a crash of the machine.
 */
export async function startKillableCluster(
  dataDir: string,
  { synchronousCommit }: { readonly synchronousCommit: boolean },
): Promise<KillableCluster> {
  let server: EmbeddedPostgres;
  const start = async () => {
    server = await startEmbeddedPostgres({
      dataDir,
      durable: false,
      settings: {
        synchronous_commit: synchronousCommit ? 'on' : 'off',
        // Delays every write of commits, so that a kill on a slow machine still finds unwritten ones.
        ...(!synchronousCommit && {
          wal_writer_delay: '10s',
          wal_writer_flush_after: '1GB',
          wal_buffers: '64MB',
        }),
        max_connections: '100',
      },
      launchMethods: (directory) => withParentDeathSignal(candidateLaunchMethods(directory)),
    });
  };
  await start();
  await asSuperuser((client) => client.query(`create database ${database}`));

  async function asSuperuser(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
    const client = new pg.Client({ connectionString: server.url('postgres') });
    await client.connect();
    await work(client).finally(() => client.end());
  }

  return {
    url: () => server.url(database),
    async kill() {
      process.kill(server.pid, 'SIGKILL');
      await server.exited;
      // Gives open sessions a moment to notice that the server is gone.
      await sleep(50);
    },
    start,
    stop: () => server.stop(),
  };
}
