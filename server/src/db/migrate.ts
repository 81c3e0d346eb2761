import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { runMigrations as migrateJobs } from 'graphile-worker';
import pg from 'pg';

const folder = fileURLToPath(new URL('../../migrations/', import.meta.url));
// One lock for all processes that start at once on one database; the number is arbitrary.
const migrationLock = 7_265_320_911;

// Same as graphile-worker's own definition, which it creates only after a failed query: PostgreSQL would log an error
// at every first start.
const jobMigrations = `create schema if not exists graphile_worker;
  create table if not exists graphile_worker.migrations (
    id int primary key, ts timestamptz not null default now(), breaking boolean not null default false)`;

export type Migration = { name: string; sql: string; checksum: string };

export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_[a-z_]+\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(folder + name, 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/** The schema is newer than or differs from this program's: refused rather than guessed. */
export class MigrationMismatch extends Error {
  override name = 'MigrationMismatch';
}

export type MigrateOptions = {
  /** Connection URL of the role that owns the tables. */
  ownerUrl: string;
  /** The role the gateway runs as; if it is the owner itself, only triggers protect the entries. */
  appRole?: { name: string; password?: string };
};

/** Migrates a database to this program's schema, forward only. Safe when several processes start at once. */
export async function migrate({ ownerUrl, appRole }: MigrateOptions): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    await client.query(`create table if not exists schema_migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`);
    await applyMissing(client, await readMigrations());
    await client.query(jobMigrations);
    await migrateJobs({ connectionString: ownerUrl });
    if (appRole !== undefined) await grantTo(client, appRole);
  } finally {
    await client.end();
  }
}

async function applyMissing(client: pg.Client, migrations: Migration[]): Promise<void> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations',
  );
  const applied = new Map(rows.map((row) => [row.name, row.checksum]));
  for (const [name, checksum] of applied) {
    const ours = migrations.find((migration) => migration.name === name);
    if (ours === undefined)
      throw new MigrationMismatch(`The database has migration ${name}, which this version does not know.`);
    if (ours.checksum !== checksum)
      throw new MigrationMismatch(`Migration ${name} was changed after it was applied.`);
  }
  for (const migration of migrations) {
    if (applied.has(migration.name)) continue;
    await client.query('begin');
    try {
      await client.query(migration.sql);
      await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [
        migration.name,
        migration.checksum,
      ]);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback');
      throw error;
    }
  }
}

async function grantTo(client: pg.Client, role: { name: string; password?: string }): Promise<void> {
  const name = pg.escapeIdentifier(role.name);
  const exists = await client.query('select from pg_roles where rolname = $1', [role.name]);
  if (exists.rowCount === 0 && role.password !== undefined) {
    // Another database of this cluster may be creating the role concurrently.
    await client.query(`create role ${name} login`).catch(() => undefined);
  }
  if (role.password !== undefined) {
    await client.query(`alter role ${name} login password ${pg.escapeLiteral(role.password)}`);
  }
  const grants = (await readFile(`${folder}grants.sql`, 'utf8')).replaceAll(':app_role', name);
  await client.query(`begin; ${grants}; ${jobGrants(name)}; commit`);
}

/**
 * graphile-worker restricts its tables to their owner by row-level security. An existing policy is left alone:
 * recreating it would lock tables that other processes use, and deadlock with them.
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
