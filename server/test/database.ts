import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { clusterSettings } from '../src/db/cluster.ts';
import { migrate } from '../src/db/migrate.ts';
import { setSharded } from '../src/db/sharding.ts';
import { isOnCluster, joinIntoCluster, onWorkers, spreadOverCluster } from './citus.ts';
import { CLUSTER_VARIABLE } from './cluster.ts';

/** A database that only one test file uses, migrated and without data. */
export type TestDatabase = {
  /** Connects as the owner of the tables, which is not a superuser. */
  readonly ownerUrl: string;
  /** Connects as the gateway's role. */
  readonly appUrl: string;
  /** Ends the database's sessions and drops it. A database that is not dropped is deleted with the cluster. */
  drop(): Promise<void>;
};

export const OWNER_ROLE = 'jangada_owner';
export const APP_ROLE = 'jangada_app';
const password = 'test';

// All test processes take this lock to make the template or the roles; the number is arbitrary.
const templateLock = 4_180_277;

/**
 * Makes a database for one test file, by copying a template that is migrated once per state of the migrations. Call it
 * in `beforeAll`, and `drop` in `afterAll`.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asSuperuser(async (client) => {
    const template = await migratedTemplate(client);
    await onEachServer(client, async (server) => {
      await server.query(
        `create database ${name} owner ${OWNER_ROLE} template ${template} strategy file_copy`,
      );
      // A copy does not inherit the settings of its template either.
      for (const [setting, value] of Object.entries(isOnCluster() ? clusterSettings : {}))
        await server.query(`alter database ${name} set ${setting} = ${value}`);
    });
    // A copy does not inherit the privileges of its template.
    await client.query(`revoke temporary on database ${name} from public`);
  });
  return databaseNamed(name);
}

/** An empty database, as before a first start. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asSuperuser(async (client) => {
    // The roles are created together with the template, so the template is made first.
    await migratedTemplate(client);
    await client.query(`create database ${name} owner ${OWNER_ROLE}`);
  });
  return databaseNamed(name);
}

function databaseNamed(name: string): TestDatabase {
  // A gateway finds this out when it opens its database; a test opens none.
  setSharded(isOnCluster());
  return {
    ownerUrl: urlOf(OWNER_ROLE, name),
    // In a cluster the gateway works as the owner (`adaptToCluster`).
    appUrl: urlOf(isOnCluster() ? OWNER_ROLE : APP_ROLE, name),
    drop: () => asSuperuser((client) => dropDatabase(client, name)),
  };
}

function clusterUrl(): string {
  const url = process.env[CLUSTER_VARIABLE];
  if (!url) throw new Error(`No PostgreSQL for this test: its Vitest project lacks server/test/cluster.ts`);
  return url;
}

function urlOf(role: string, database: string): string {
  const url = new URL(clusterUrl());
  url.username = role;
  url.password = password;
  url.pathname = `/${database}`;
  return url.href;
}

async function asSuperuser<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: clusterUrl() });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Returns the name of the template for the current migrations, after making it if no test has done so. */
async function migratedTemplate(client: Client): Promise<string> {
  const template = `template_${migrationsHash()}${isOnCluster() ? '_cluster' : ''}`;
  await client.query('select pg_advisory_lock($1)', [templateLock]);
  try {
    const found = await client.query('select from pg_database where datname = $1', [template]);
    if (found.rowCount === 0) await makeTemplate(client, template);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [templateLock]);
  }
  return template;
}

async function makeTemplate(client: Client, template: string): Promise<void> {
  const draft = `draft_${template}`;
  await dropDatabase(client, draft);
  await onEachServer(client, async (server) => {
    await makeRole(server, OWNER_ROLE);
    await makeRole(server, APP_ROLE);
    await server.query(`create database ${draft} owner ${OWNER_ROLE}`);
  });
  const ownerUrl = urlOf(OWNER_ROLE, draft);
  if (isOnCluster()) await joinIntoCluster(client, draft);
  await migrate(isOnCluster() ? { ownerUrl } : { ownerUrl, appRole: { name: APP_ROLE } });
  if (isOnCluster()) await spreadOverCluster(ownerUrl);
  // PostgreSQL refuses to rename or copy a database with open connections.
  await onEachServer(client, async (server) => {
    await closeDatabase(server, draft);
    await server.query(`alter database ${draft} rename to ${template}`);
  });
}

/** Runs `work` on the server that all test files share, and on the workers if it is a cluster's coordinator. */
async function onEachServer(client: Client, work: (server: Client) => Promise<unknown>): Promise<void> {
  await work(client);
  await onWorkers(work);
}

async function dropDatabase(client: Client, name: string): Promise<void> {
  await onEachServer(client, async (server) => {
    if (isOnCluster()) await closeDatabase(server, name);
    await server.query(`drop database if exists ${name} with (force)`);
  });
}

/**
 * Ends the sessions of a database, which accepts no new ones from then on. A cluster's maintenance has a session that
 * `drop database` does not end.
 */
async function closeDatabase(server: Client, database: string): Promise<void> {
  const found = await server.query('select from pg_database where datname = $1', [database]);
  if (found.rowCount === 0) return;
  await server.query(`alter database ${database} allow_connections false`);
  const end = 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1';
  while ((await server.query(end, [database])).rowCount !== 0) await sleep(50);
}

async function makeRole(client: Client, role: string): Promise<void> {
  const found = await client.query('select from pg_roles where rolname = $1', [role]);
  if (found.rowCount === 0) await client.query(`create role ${role} login password '${password}'`);
}

/**
 * A hash that changes with every migration, with the code that applies migrations, and with the dependencies, because
 * the job queue among them brings migrations of its own.
 */
function migrationsHash(): string {
  const hash = createHash('sha256');
  const folder = new URL('../migrations/', import.meta.url);
  const files = readdirSync(folder)
    .sort()
    .map((name) => new URL(name, folder));
  const applied = [
    new URL('../src/db/migrate.ts', import.meta.url),
    new URL('../src/db/cluster.ts', import.meta.url),
    new URL('../cluster/figures.sql', import.meta.url),
    new URL('../cluster/triggers.sql', import.meta.url),
    new URL('../package.json', import.meta.url),
  ];
  for (const file of [...files, ...applied])
    hash.update(`${fileURLToPath(file)}\0`).update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}
