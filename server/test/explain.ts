import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { z } from 'zod';
import { DatabaseClient } from '../src/db/client.ts';
import { createPool, type Db } from '../src/db/pool.ts';
import type { DB } from '../src/db/schema.ts';

/** Opens a session with the planner's settings of the gateway's own sessions, to explain statements in. */
export async function openPlannerSession(url: string): Promise<pg.Client> {
  const session = new DatabaseClient({ connectionString: url, session: { readsByKey: true } });
  await session.connect();
  return session;
}

export type Statement = { readonly sql: string; readonly parameters: readonly unknown[] };

/** Records the statements that are sent through its connection. */
export type Recorder = {
  readonly db: Db;
  /** Returns the statements that `read` sends, in order. */
  record(read: (db: Db) => Promise<unknown>): Promise<Statement[]>;
};

export function createRecorder(url: string): Recorder {
  let statements: Statement[] = [];
  const db = new Kysely<DB>({
    dialect: new PostgresDialect({ pool: createPool({ url, max: 1 }) }),
    log({ query: { sql, parameters } }) {
      statements.push({ sql, parameters });
    },
  });
  return {
    db,
    async record(read) {
      statements = [];
      await read(db);
      return statements;
    },
  };
}

/** How PostgreSQL executed a statement. */
export type QueryPlan = {
  /** Each step with its source: `Index Only Scan charges_newest`. */
  readonly steps: readonly string[];
  /** The 8 KiB pages touched, in memory or not. */
  readonly buffers: number;
  readonly milliseconds: number;
};

/**
 * Executes a prepared statement and reports its plan. `custom`: planned for its parameters, as for the first executions
 * on a connection; `generic`: planned for any parameters, as possible from the sixth execution on.
 */
export async function explain(
  client: pg.Client | pg.PoolClient,
  { sql, parameters }: Statement,
  kind: 'custom' | 'generic',
): Promise<QueryPlan> {
  await client.query(`set plan_cache_mode = force_${kind}_plan`);
  await client.query(`prepare explained as ${sql}`);
  try {
    const parameterList = parameters.length === 0 ? '' : `(${parameters.map(literal).join(', ')})`;
    const { rows } = await client.query(
      `explain (analyze, buffers, format json) execute explained ${parameterList}`,
    );
    const [
      {
        'QUERY PLAN': [explained],
      },
    ] = explainRows.parse(rows);
    return {
      steps: stepsOf(explained.Plan),
      buffers: explained.Plan['Shared Hit Blocks'] + explained.Plan['Shared Read Blocks'],
      milliseconds: explained['Execution Time'],
    };
  } finally {
    await client.query('deallocate explained; reset plan_cache_mode');
  }
}

function literal(value: unknown): string {
  return pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value));
}

const node = z.object({
  'Node Type': z.string(),
  'Relation Name': z.string().optional(),
  'Index Name': z.string().optional(),
  'Shared Hit Blocks': z.number(),
  'Shared Read Blocks': z.number(),
  get Plans() {
    return z.array(node).optional();
  },
});
const explainRows = z.tuple([
  z.object({ 'QUERY PLAN': z.tuple([z.object({ Plan: node, 'Execution Time': z.number() })]) }),
]);

function stepsOf(plan: z.infer<typeof node>): string[] {
  const reads = plan['Index Name'] ?? plan['Relation Name'];
  const step = reads === undefined ? plan['Node Type'] : `${plan['Node Type']} ${reads}`;
  return [step, ...(plan.Plans ?? []).flatMap(stepsOf)];
}
