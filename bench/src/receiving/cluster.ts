import { join } from 'node:path';
import { readConfig } from '../../../server/src/config.ts';
import { openDatabase } from '../../../server/src/db/open-database.ts';
import { createPool } from '../../../server/src/db/pool.ts';
import { readPostmasterFile } from '../../../server/src/db/postmaster.ts';

/** The PostgreSQL server of a run. It is the one that comes with the product, with the product's settings. */
export type Cluster = {
  readonly version: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly pid: number;
  readonly appRole: { readonly name: string; readonly password?: string };
  /** Returns the URL of a database for its owner. */
  url(database: string): string;
  /** Returns the URL of a database for the role under which the gateway runs. */
  appUrl(database: string): string;
  createDatabase(name: string): Promise<void>;
  dropDatabase(name: string): Promise<void>;
  /** Flushes prepared data to disk, so that the flush does not burden the measurement. */
  checkpoint(): Promise<void>;
  stop(): Promise<void>;
};

/** The settings printed and stored with the results. */
const reportedSettings = [
  'fsync',
  'synchronous_commit',
  'full_page_writes',
  'wal_sync_method',
  'data_checksums',
  'shared_buffers',
  'max_wal_size',
  'checkpoint_timeout',
  'max_connections',
  'wal_compression',
  'commit_delay',
  'io_method',
];
/** The settings without which PostgreSQL could lose commits. */
const durabilitySettings = ['fsync', 'synchronous_commit', 'full_page_writes'];

/**
 * Starts the server.
 * @throws if a setting that makes commits durable is not on
 */
export async function startCluster(dataDir: string): Promise<Cluster> {
  const database = await openDatabase(readConfig({ DATA_DIR: dataDir }));
  const { ownerUrl, appUrl, appRole } = database;
  const admin = createPool({ url: withDatabaseName(ownerUrl, 'postgres'), max: 1, statementTimeoutMs: 0 });
  try {
    const settings = await readSettings(admin);
    requireDurableCommits(settings);
    const pid = readPostmasterFile(join(dataDir, 'postgres', 'cluster'))?.pid;
    if (pid === undefined || appRole === undefined)
      throw new Error('The PostgreSQL of the run is not found.');
    const { rows } = await admin.query<{ version: string }>('select version()');
    return {
      version: rows[0]?.version ?? '',
      settings,
      pid,
      appRole,
      url: (name) => withDatabaseName(ownerUrl, name),
      appUrl: (name) => withDatabaseName(appUrl, name),
      createDatabase: (name) => admin.query(`create database ${name}`).then(() => {}),
      dropDatabase: (name) => admin.query(`drop database if exists ${name} with (force)`).then(() => {}),
      checkpoint: () => admin.query('checkpoint').then(() => {}),
      async stop() {
        await admin.end();
        await database.close();
      },
    };
  } catch (error) {
    await admin.end();
    await database.close();
    throw error;
  }
}

/** @throws if a setting that makes commits durable is not on */
export function requireDurableCommits(settings: Readonly<Record<string, string>>): void {
  const missing = durabilitySettings.filter((name) => settings[name] !== 'on');
  if (missing.length > 0)
    throw new Error(`PostgreSQL runs without ${missing.join(', ')}: nothing is measured.`);
}

function withDatabaseName(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

async function readSettings(admin: ReturnType<typeof createPool>): Promise<Record<string, string>> {
  const { rows } = await admin.query<{ name: string; value: string }>(
    'select name, current_setting(name) as value from pg_settings where name = any($1) order by name',
    [reportedSettings],
  );
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}
