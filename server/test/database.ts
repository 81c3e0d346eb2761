import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrate, readMigrations } from '../src/db/migrate.ts';

/** A database of one test file: a clone of a migrated template, with the owner's and the application's door. */
export type TestDatabase = { readonly ownerUrl: string; readonly appUrl: string; drop(): Promise<void> };

const appRole = { name: 'jangada_test_app', password: 'jangada-test' };

/** `TEST_DATABASE_URL` names a cluster's superuser; vitest's global setup starts one and sets it. */
function clusterUrl(database: string, role?: { name: string; password: string }): string {
  const url = new URL(process.env['TEST_DATABASE_URL'] ?? '');
  url.pathname = `/${database}`;
  if (role !== undefined) {
    url.username = role.name;
    url.password = role.password;
  }
  return url.href;
}

async function onCluster<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: clusterUrl('postgres') });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The template for this set of migrations, made once however many files ask at the same time. */
async function migratedTemplate(client: pg.Client): Promise<string> {
  const checksums = (await readMigrations()).map((migration) => migration.checksum).join();
  const name = `template_${createHash('sha256').update(checksums).digest('hex').slice(0, 16)}`;
  await client.query('select pg_advisory_lock(hashtext($1))', [name]);
  const { rowCount } = await client.query('select from pg_database where datname = $1 and datistemplate', [name]);
  if (rowCount === 0) {
    await client.query(`drop database if exists ${name}`);
    await client.query(`create database ${name}`);
    await migrate({ ownerUrl: clusterUrl(name), appRole });
    await client.query(`alter database ${name} is_template true`);
  }
  return name;
}

export async function openTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await onCluster(async (client) => {
    const template = await migratedTemplate(client);
    await client.query(`create database ${name} template ${template}`);
  });
  return {
    ownerUrl: clusterUrl(name),
    appUrl: clusterUrl(name, appRole),
    drop: () => onCluster(async (client) => void (await client.query(`drop database ${name} with (force)`))),
  };
}
