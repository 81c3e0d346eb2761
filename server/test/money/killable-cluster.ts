import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/db/embedded.ts';
import { candidateAccounts } from '../../src/db/embedded-account.ts';
import { mortal } from '../cluster.ts';

/** A PostgreSQL of its own that can be killed like a machine that loses power, and started again on what it wrote. */
export type KillableCluster = {
  /** Of the database `jangada`; changes with every start. */
  url(): string;
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
};

const database = 'jangada';

/**
 * `synchronousCommit` off: what was committed in the last moments is not written yet, and goes with the process. What
 * is written survives a killed process without fsync: that guards against the machine, which nobody kills here.
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
        // What does not wait is written by itself after a while: long enough that a kill on a slow machine finds some.
        ...(!synchronousCommit && { wal_writer_delay: '10s' }),
        max_connections: '100',
      },
      accounts: (directory) => mortal(candidateAccounts(directory)),
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
      // Its sessions notice by themselves.
      await sleep(50);
    },
    start,
    stop: () => server.stop(),
  };
}
