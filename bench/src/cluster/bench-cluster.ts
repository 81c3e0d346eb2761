// npm run bench -- cluster: how is the work of a payment spread over the servers of a Citus cluster? All servers are on
// this machine, so times would say nothing; counts do.
import pg from 'pg';
import { WORKERS_VARIABLE } from '../../../server/test/citus.ts';
import { CitusCluster } from '../../../server/test/citus-cluster.ts';
import { CLUSTER_VARIABLE } from '../../../server/test/cluster.ts';
import { startTestGateway } from '../../../server/test/gateway.ts';
import { type BenchOutcome, saveResult, thisMachine } from '../bench-result.ts';
import { measureSteps } from '../written/bench-written.ts';
import { walPosition } from '../written/measure-write-cost.ts';

/** What one server does for a step. */
type ServerCost = {
  /** Statements that it received, from the gateway or from the coordinator. */
  readonly statements: number;
  /** New versions of rows, of all its tables. */
  readonly rows: number;
  /** Bytes of the write-ahead log, without copies of whole pages. */
  readonly walBytes: number;
};

type ClusterCost = { readonly coordinator: ServerCost; readonly workers: readonly ServerCost[] };

export async function benchCluster(): Promise<BenchOutcome> {
  const cluster = await CitusCluster.start();
  process.env[CLUSTER_VARIABLE] = cluster.url('postgres');
  process.env[WORKERS_VARIABLE] = cluster.workerUrls('postgres').join(' ');
  try {
    const steps = await measureOn(cluster);
    console.table(
      Object.fromEntries(
        Object.entries(steps).map(([step, { coordinator, workers }]) => {
          const servers = [coordinator, ...workers];
          const list = (figure: (cost: ServerCost) => number) => servers.map(figure).join(' / ');
          return [
            step,
            {
              statements: list(({ statements }) => statements),
              'new row versions': list(({ rows }) => rows),
              'bytes of WAL': list(({ walBytes }) => walBytes),
            },
          ];
        }),
      ),
    );
    console.log('Of each: coordinator / worker / worker.');
    saveResult('cluster', { machine: thisMachine(), steps });
    return 'saved';
  } finally {
    delete process.env[CLUSTER_VARIABLE];
    delete process.env[WORKERS_VARIABLE];
    cluster.stop();
  }
}

async function measureOn(cluster: CitusCluster) {
  const gateway = await startTestGateway({ startsWork: false });
  const database = new URL(gateway.database.appUrl).pathname.slice(1);
  const servers: pg.Client[] = [];
  try {
    for (const url of [cluster.url(database), ...cluster.workerUrls(database)]) {
      const server = new pg.Client(url);
      await server.connect();
      servers.push(server);
    }
    // The coordinator creates them on the workers too.
    await servers[0]?.query('create extension pg_stat_statements; create extension pg_walinspect');
    return await measureSteps(gateway, (work) => measureCluster(servers, work));
  } finally {
    for (const server of servers) await server.end();
    await gateway.stop();
  }
}

async function measureCluster(
  servers: readonly pg.Client[],
  work: () => Promise<void>,
): Promise<ClusterCost> {
  const starts: string[] = [];
  for (const server of servers) {
    await server.query('checkpoint');
    await server.query('select pg_stat_statements_reset()');
    starts.push(await walPosition(server));
  }
  await work();
  const costs: ServerCost[] = [];
  for (const [index, server] of servers.entries()) costs.push(await costOf(server, starts[index] ?? '0/0'));
  const [coordinator, ...workers] = costs;
  if (coordinator === undefined) throw new Error('A cluster has a coordinator.');
  return { coordinator, workers };
}

async function costOf(server: pg.Client, start: string): Promise<ServerCost> {
  const statements = await server.query<{ calls: number }>(`
    select coalesce(sum(calls), 0)::integer as calls from pg_stat_statements
    where dbid = (select oid from pg_database where datname = current_database()) and toplevel
      and userid <> (select oid from pg_roles where rolname = current_user)`);
  // A mark in the log, because only a part that is not empty can be read.
  await server.query("select pg_logical_emit_message(false, 'bench', 'end')");
  const end = await walPosition(server);
  await server.query('select pg_switch_wal()');
  const written = await server.query<{ rows: number; bytes: number }>(
    `select coalesce(sum(coalesce(substring(description from 'ntuples: (\\d+)')::integer, 1))
              filter (where resource_manager in ('Heap', 'Heap2')
                        and record_type ~ '^(INSERT|UPDATE|HOT_UPDATE|MULTI_INSERT)'), 0)::integer as rows,
            coalesce(sum(record_length - fpi_length) filter (where resource_manager not in ('Standby', 'XLOG', 'LogicalMessage')), 0)::integer
              as bytes
     from pg_get_wal_records_info($1::pg_lsn, $2::pg_lsn)`,
    [start, end],
  );
  return {
    statements: statements.rows[0]?.calls ?? 0,
    rows: written.rows[0]?.rows ?? 0,
    walBytes: written.rows[0]?.bytes ?? 0,
  };
}
