import { Client } from 'pg';
import { distributeTables } from '../src/db/cluster.ts';

/**
 * The environment variable with the URLs, as superuser, of the workers of a Citus cluster whose coordinator is the server
 * that all test files share. If it is set, the tests run on databases that are spread over this cluster.
 */
export const WORKERS_VARIABLE = 'TEST_CITUS_WORKERS';

function workerUrls(): string[] {
  return (process.env[WORKERS_VARIABLE] ?? '').split(' ').filter((url) => url !== '');
}

/** Whether the tests run on a cluster. */
export function isOnCluster(): boolean {
  return workerUrls().length > 0;
}

/** Runs `work` as superuser on each worker in turn; on none if the tests run on one server. */
export async function onWorkers(work: (worker: Client) => Promise<unknown>): Promise<void> {
  for (const connectionString of workerUrls()) {
    const worker = new Client({ connectionString });
    await worker.connect();
    try {
      await work(worker);
    } finally {
      await worker.end();
    }
  }
}

/** Makes the empty databases of one name on all servers one database of the cluster. */
export async function joinIntoCluster(coordinator: Client, database: string): Promise<void> {
  await onWorkers((worker) =>
    inDatabase(worker, database, (client) => client.query('create extension citus')),
  );
  await inDatabase(coordinator, database, async (client) => {
    await client.query('create extension citus');
    await client.query('select citus_set_coordinator_host($1, $2)', [coordinator.host, coordinator.port]);
    for (const url of workerUrls()) {
      const { hostname, port } = new URL(url);
      await client.query('select citus_add_node($1, $2)', [hostname, Number(port)]);
    }
  });
}

/** Spreads a migrated database over the cluster, as `npm run cluster:prepare` does. */
export async function spreadOverCluster(ownerUrl: string): Promise<void> {
  const owner = new Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    await distributeTables(owner, false);
  } finally {
    await owner.end();
  }
}

async function inDatabase(server: Client, database: string, work: (client: Client) => Promise<unknown>) {
  const client = new Client({ host: server.host, port: server.port, user: server.user, database });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
