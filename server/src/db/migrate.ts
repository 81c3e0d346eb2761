import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runMigrations as migrateJobQueue } from 'graphile-worker';
import pg from 'pg';
import { connectClient } from './client.ts';
import { adaptToCluster, isCluster } from './cluster.ts';
import { createPool } from './pool.ts';
import { databaseErrorCode } from './transaction.ts';

const migrationsFolder = fileURLToPath(new URL('../../migrations/', import.meta.url));
// Makes processes that start on one database at the same time migrate one after the other. The number is arbitrary.
const migrationLock = 7_265_320_911;

// Creates this table exactly as graphile-worker defines it. graphile-worker itself creates the table only after a query
// on it has failed, and PostgreSQL would log that error at every first start.
const createJobMigrationsTable = `create schema if not exists graphile_worker;
  create table if not exists graphile_worker.migrations (
    id int primary key, ts timestamptz not null default now(), breaking boolean not null default false)`;

export type Migration = { name: string; sql: string; checksum: string };

export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(migrationsFolder)).filter((name) => /^\d{4}_[a-z_]+\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(migrationsFolder + name, 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/** Thrown if the database's schema is newer than this program's or differs from it. */
export class MigrationMismatch extends Error {
  override name = 'MigrationMismatch';
}

export type MigrateOptions = {
  /** Connection URL of the role that owns the tables. */
  ownerUrl: string;
  /** The role that the gateway runs as; undefined if the gateway runs as the owner. */
  appRole?: { name: string; password?: string };
};

/** Migrates a database to this program's schema, forward only. Several processes may do so at once. */
export async function migrate({ ownerUrl, appRole }: MigrateOptions): Promise<void> {
  const client = await connectClient(ownerUrl);
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    await client.query(`create table if not exists schema_migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`);
    await applyMissingMigrations(client, await readMigrations());
    if (await isCluster(client)) await adaptToCluster(client, appRole !== undefined);
    await client.query(createJobMigrationsTable);
    await migrateJobs(ownerUrl);
    if (appRole !== undefined) await grantAccess(client, appRole);
  } finally {
    await client.end();
  }
}

/**
 * Checks that another process has brought a database to this program's schema. Throws MigrationMismatch unless it has.
 */
export async function checkMigrated(url: string): Promise<void> {
  const client = await connectClient(url);
  try {
    const migrations = await readMigrations();
    const applied = await readApplied(client, migrations);
    const missing = migrations.find(({ name }) => !applied.has(name));
    if (missing !== undefined)
      throw new MigrationMismatch(
        `The database lacks migration ${missing.name}: first start a process with MIGRATION_DATABASE_URL.`,
      );
  } finally {
    await client.end();
  }
}

/** Uses our own connections, which are abandoned when the server goes silent; graphile-worker's own are not. */
async function migrateJobs(ownerUrl: string): Promise<void> {
  const pool = createPool({ url: ownerUrl, max: 1, statementTimeoutMs: 0 });
  await migrateJobQueue({ pgPool: pool }).finally(() => pool.end());
}

/** Reads the applied migrations, by name. Throws MigrationMismatch if one of them is not this program's. */
async function readApplied(client: pg.Client, migrations: Migration[]): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations',
  );
  const applied = new Map(rows.map((row) => [row.name, row.checksum]));
  for (const [name, checksum] of applied) {
    const knownMigration = migrations.find((migration) => migration.name === name);
    if (knownMigration === undefined)
      throw new MigrationMismatch(`The database has migration ${name}, which this version does not know.`);
    if (knownMigration.checksum !== checksum)
      throw new MigrationMismatch(`Migration ${name} was changed after it was applied.`);
  }
  return applied;
}

async function applyMissingMigrations(client: pg.Client, migrations: Migration[]): Promise<void> {
  const applied = await readApplied(client, migrations);
  for (const migration of migrations) {
    if (!applied.has(migration.name)) await applyWhenUnlocked(client, migration);
  }
}

/**
 * How long a migration waits for a lock at a time. While it waits, all statements on the table wait behind it, so it
 * gives way to what holds the lock, such as a verification of the books or a backup, and tries again.
 */
const lockTimeoutMs = 1000;
const retryPauseMs = 2000;
const lockNotAvailable = '55P03';
const deadlock = '40P01';

async function applyWhenUnlocked(client: pg.Client, migration: Migration): Promise<void> {
  for (;;) {
    try {
      return await applyMigration(client, migration);
    } catch (error) {
      const code = databaseErrorCode(error);
      if (code !== lockNotAvailable && code !== deadlock) throw error;
      await sleep(retryPauseMs);
    }
  }
}

async function applyMigration(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`);
    await client.query(sql);
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

async function grantAccess(client: pg.Client, role: { name: string; password?: string }): Promise<void> {
  const name = pg.escapeIdentifier(role.name);
  const existingRole = await client.query('select from pg_roles where rolname = $1', [role.name]);
  if (existingRole.rowCount === 0 && role.password !== undefined) {
    // The gateway of another database in this cluster may be creating the same role at this moment.
    await client.query(`create role ${name} login`).catch(() => undefined);
  }
  if (role.password !== undefined) {
    await client.query(`alter role ${name} login password ${pg.escapeLiteral(role.password)}`);
  }
  const grants = (await readFile(`${migrationsFolder}grants.sql`, 'utf8')).replaceAll(':app_role', name);
  await client.query(`begin; ${grants}; ${jobGrants(name)}; commit`);
}

/**
 * Returns the SQL that gives the role access to the job queue. graphile-worker restricts its tables to their owner by
 * row-level security, so each table needs a policy for the role. An existing policy is kept: recreating it would lock
 * tables that other processes use, and could deadlock with them.
 */
function jobGrants(role: string): string {
  return `
    grant usage on schema graphile_worker to ${role};
    grant select, insert, update, delete on all tables in schema graphile_worker to ${role};
    grant usage, select on all sequences in schema graphile_worker to ${role};
    revoke execute on all functions in schema graphile_worker from public;
    grant execute on all functions in schema graphile_worker to ${role};
    do $$ declare job_table record; begin
      for job_table in
        select c.relname from pg_class c
        where c.relnamespace = 'graphile_worker'::regnamespace and c.relrowsecurity
          and not exists (
            select from pg_policy
            where polrelid = c.oid and polname = 'application' and polroles = array[${pg.escapeLiteral(role)}::regrole::oid]
          )
      loop
        execute format('drop policy if exists application on graphile_worker.%I', job_table.relname);
        execute format('create policy application on graphile_worker.%I to ${role.replaceAll("'", "''")} using (true) with check (true)', job_table.relname);
      end loop;
    end $$`;
}
