// npm run bench -- build-payments [COUNT] [--folder PATH]: builds the database that the bench `reads`
// measures. After an interruption, the same command resumes. The rows are bulk-loaded without triggers. Then the
// balances and counters, which triggers would have kept, are computed, and the books are audited as in production.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../../server/src/db/embedded.ts';
import { createDb, createPool } from '../../../server/src/db/pool.ts';
import { auditLedger } from '../../../server/src/ledger/index.ts';
import type { BenchOutcome, Counts } from '../bench-result.ts';
import { builtMarkerFile, databaseFolder, isBuilt } from '../built-database.ts';
import { Interrupted, rejectOnInterruption } from '../interruption.ts';
import { deriveFigures } from './derive-figures.ts';
import { loadArriving, loadSlice } from './load-payments.ts';
import { makeMerchants } from './make-merchants.ts';
import { defaultPayments, type MerchantSizes, requireDiskSpace, sizesOf } from './payments-database.ts';
import { dropDefinitions, restoreDefinitions } from './table-definitions.ts';

/**
 * Settings for a fast bulk load: rare checkpoints, little write-ahead log, no vacuum. A gateway must not run with them.
 */
const loadSettings = {
  max_wal_size: '4GB',
  checkpoint_timeout: '30min',
  wal_level: 'minimal',
  max_wal_senders: '0',
  autovacuum: 'off',
};
const rowsPerSlice = 50_000;
/**
 * Each merchant's payments are divided into 10,000 parts. The newest 20 are written as the gateway writes
 * payments: inserted, then updated, on pages that no vacuum has cleaned.
 */
const arrivingParts = 20;
const totalParts = 10_000;

export async function buildPayments(args: readonly string[]): Promise<BenchOutcome> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { folder: { type: 'string' } },
    allowPositionals: true,
  });
  const folder = databaseFolder(values.folder, 'payments');
  const payments = Number(positionals[0] ?? defaultPayments);
  if (!Number.isSafeInteger(payments) || payments < 20_000)
    throw new Error('build-payments takes a number of payments from 20000 on.');
  if (isBuilt(folder)) {
    console.log(`${folder} is built already: remove it to build it anew.`);
    return 'saved';
  }
  requireDiskSpace(folder, payments);
  await buildIn(folder, sizesOf(payments));
  console.log(`Built: ${folder}`);
  return 'saved';
}

/**
 * Runs all steps of a full build, including the audit of the books, for a thousand payments. Returns the number of
 * rows of each kind.
 */
export async function runSmallBuild(folder: string): Promise<Counts> {
  await buildIn(folder, { big: 1000, small: 110, others: [20, 30] });
  return withDatabase(folder, {}, async (url) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      const { rows } = await client.query<Counts>(`
        select (select count(*) from charges)::int as charges,
               (select count(*) from received_pix)::int as "received Pix",
               (select count(*) from refunds)::int as refunds,
               (select count(*) from charge_options)::int as options,
               (select count(*) from ledger_entries)::int as entries`);
      return rows[0] ?? {};
    } finally {
      await client.end();
    }
  });
}

/** @throws if the books that were built are inconsistent */
async function buildIn(folder: string, sizes: MerchantSizes): Promise<void> {
  await makeMerchants(folder, sizes);
  await loadAll(folder, sizes.big);
  await auditAll(folder);
  writeFileSync(builtMarkerFile(folder), JSON.stringify({ payments: sizes.big, builtAt: new Date() }));
}

async function loadAll(folder: string, payments: number): Promise<void> {
  await withDatabase(folder, loadSettings, async (url) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      await client.query(`set session_replication_role = replica; set synchronous_commit = off;
        set maintenance_work_mem = '1GB'; set work_mem = '256MB'; set temp_buffers = '128MB'; set timezone = 'UTC'`);
      await runSteps(client, stepsOf(payments));
    } finally {
      await client.end();
    }
  });
}

type Step = {
  readonly name: string;
  readonly work: (client: pg.Client) => Promise<void>;
  /**
   * Set if the step must not run within a transaction, because it commits its progress itself, or because PostgreSQL
   * forbids a transaction (vacuum).
   */
  readonly isOutsideTransaction?: boolean;
};

function stepsOf(payments: number): Step[] {
  const slices = Math.ceil(payments / rowsPerSlice);
  const bulkParts = totalParts - arrivingParts;
  const tables = ['charges', 'received_pix', 'ledger_entries'];
  return [
    { name: 'drop indexes', work: (client) => dropDefinitions(client, tables) },
    ...Array.from({ length: slices }, (_, index): Step => {
      const slice = { from: index * bulkParts, to: (index + 1) * bulkParts, of: slices * totalParts };
      return { name: `load ${index + 1} of ${slices}`, work: (client) => loadSlice(client, slice) };
    }),
    { name: 'restore indexes', work: restoreDefinitions, isOutsideTransaction: true },
    ...tables.map(
      (table): Step => ({
        name: `vacuum ${table}`,
        work: async (client) => void (await client.query(`vacuum (analyze) ${table}`)),
        isOutsideTransaction: true,
      }),
    ),
    ...Array.from({ length: arrivingParts }, (_, index): Step => {
      const slice = { from: bulkParts + index, to: bulkParts + index + 1, of: totalParts };
      return {
        name: `arriving ${index + 1} of ${arrivingParts}`,
        work: (client) => loadArriving(client, slice),
      };
    }),
    { name: 'figures', work: deriveFigures },
    { name: 'statistics', work: async (client) => void (await client.query('analyze')) },
  ];
}

/**
 * Runs the steps that are not recorded as done. A step and its record are committed together, unless the step must not
 * run within a transaction, so an interruption cannot separate them.
 */
async function runSteps(client: pg.Client, steps: readonly Step[]): Promise<void> {
  const isInterrupted = watchForInterruption();
  await client.query('create table if not exists bench.steps (name text primary key)');
  const { rows } = await client.query<{ name: string }>('select name from bench.steps');
  const done = new Set(rows.map((row) => row.name));
  const startMs = performance.now();
  for (const { name, work, isOutsideTransaction = false } of steps) {
    if (done.has(name)) continue;
    if (isInterrupted()) throw new Interrupted('Interrupted: the same command goes on from here.');
    if (!isOutsideTransaction) await client.query('begin');
    await work(client);
    await client.query('insert into bench.steps values ($1)', [name]);
    if (!isOutsideTransaction) await client.query('commit');
    console.log(`${Math.round((performance.now() - startMs) / 1000)} s  ${name}`);
  }
}

/**
 * Returns a function that says whether the run was interrupted. It is asked between two steps, so that a step that has
 * begun can finish.
 */
function watchForInterruption(): () => boolean {
  let interrupted = false;
  rejectOnInterruption().catch(() => {
    interrupted = true;
  });
  return () => interrupted;
}

async function auditAll(folder: string): Promise<void> {
  const startMs = performance.now();
  const differences = await withDatabase(folder, { work_mem: '512MB' }, async (url) => {
    const db = createDb(createPool({ url, max: 1, statementTimeoutMs: 0 }));
    try {
      // The server has its normal settings again, so a checkpoint removes the large write-ahead log of the load.
      await sql`select pg_switch_wal()`.execute(db);
      await sql`checkpoint`.execute(db);
      return await auditLedger(db);
    } finally {
      await db.destroy();
    }
  });
  console.log(
    `${Math.round((performance.now() - startMs) / 1000)} s  audit: ${differences.length} differences`,
  );
  if (differences.length > 0)
    throw new Error(`The books are not right: ${JSON.stringify(differences.slice(0, 3))}`);
}

/** Runs PostgreSQL on the folder without a gateway, and passes the URL of the database to `use`. */
async function withDatabase<Result>(
  folder: string,
  settings: Readonly<Record<string, string>>,
  use: (url: string) => Promise<Result>,
): Promise<Result> {
  const server = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), settings });
  // The file may name a server that an earlier step started and stopped.
  rmSync(join(folder, 'database-url'), { force: true });
  try {
    return await use(server.url('jangada'));
  } finally {
    await server.stop();
  }
}
