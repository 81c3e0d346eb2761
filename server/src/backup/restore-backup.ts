import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type Config, InvalidSetting } from '../config.ts';
import { connectClient } from '../db/client.ts';
import { type MigrateOptions, migrate } from '../db/migrate.ts';
import { canDecryptCheckText, findOrCreateMasterKey, prepareRestoredDatabase } from '../gateway/index.ts';
import { createSecrets } from '../secrets.ts';
import {
  checksumOf,
  filesFolder,
  type Manifest,
  readManifest,
  readProgramMigrations,
  tablesFolder,
  writePart,
} from './manifest.ts';
import { isEmptyDatabase, quoteNames, setTriggersEnabled } from './store.ts';

export type RestoreOptions = {
  readonly config: Pick<Config, 'dataDir' | 'secretKey' | 'files' | 'version'>;
  readonly database: MigrateOptions;
  /** The backup's directory. */
  readonly from: string;
};

/**
 * Restores a backup into an empty database and an empty directory of files. The tables are filled in one transaction;
 * the schema is made before it, and the files are copied after it. Payouts are stopped in the restored database,
 * because it lacks the payouts made after the backup, which could leave a second time.
 * @throws {InvalidSetting} if the database or the directory is not empty, or if the backup was taken with other migrations
 * or under another master key
 */
export async function restoreBackup({ config, database, from }: RestoreOptions): Promise<Manifest> {
  const manifest = await readManifest(from);
  if (JSON.stringify(manifest.migrations) !== JSON.stringify(await readProgramMigrations()))
    throw new InvalidSetting(
      `the backup was taken by version ${manifest.version}: restore it with that version, then upgrade`,
    );
  await verifyParts(from, manifest);
  if (manifest.files !== null && (await readdir(config.files.directory).catch(() => [])).length > 0)
    throw new InvalidSetting(`DATA_DIR: ${config.files.directory} is not empty`);
  const client = await connectClient(database.ownerUrl);
  try {
    if (!(await isEmptyDatabase(client)))
      throw new InvalidSetting(
        'DATABASE_URL: the database is not empty; a backup is restored into an empty one only',
      );
    await migrate(database);
    await client.query('begin');
    await fillTables(client, from, manifest);
    await checkMasterKey(client, config);
    await prepareRestoredDatabase(client, `o banco de dados foi restaurado da cópia de ${manifest.takenAt}`);
    await client.query('commit');
    await client.query(`analyze ${quoteNames(manifest.tables.map(({ name }) => name))}`);
  } finally {
    await client.end();
  }
  await restoreFiles(config.files.directory, from, manifest);
  return manifest;
}

/** Verifies the checksums of all parts before anything is changed. */
async function verifyParts(from: string, { tables, files }: Manifest): Promise<void> {
  const parts = [
    ...tables.map(({ name, sha256 }) => ({ path: join(tablesFolder, `${name}.copy.gz`), sha256 })),
    ...(files ?? []).map(({ name, sha256 }) => ({ path: join(filesFolder, name), sha256 })),
  ];
  for (const { path, sha256 } of parts)
    if ((await checksumOf(join(from, path))) !== sha256)
      throw new Error(`${path} is damaged: its checksum is not that of the backup.`);
}

async function fillTables(client: pg.Client, from: string, { tables, sequences }: Manifest): Promise<void> {
  await setTriggersEnabled(client, tables, 'disable');
  // The migrations inserted some rows that the backup contains as well.
  await client.query(`truncate ${quoteNames(tables.map(({ name }) => name))}`);
  for (const { name, columns, rows } of tables) {
    const copyStream = client.query(
      copyFrom(`copy ${quoteNames([name])} (${quoteNames(columns)}) from stdin`),
    );
    await pipeline(createReadStream(join(from, tablesFolder, `${name}.copy.gz`)), createGunzip(), copyStream);
    if (copyStream.rowCount !== rows)
      throw new Error(
        `${name} has ${copyStream.rowCount} rows after the restore, and ${rows} in the backup.`,
      );
  }
  await setTriggersEnabled(client, tables, 'enable');
  for (const { name, lastValue, isCalled } of sequences)
    await client.query('select setval($1::regclass, $2::bigint, $3)', [
      quoteNames([name]),
      lastValue,
      isCalled,
    ]);
}

async function checkMasterKey(client: pg.Client, config: RestoreOptions['config']): Promise<void> {
  const { rows } = await client.query<{ check: Buffer }>('select secret_check as check from gateway');
  const [gateway] = rows;
  // The backup was taken before the gateway's first start, which stores the encrypted value that is checked here.
  if (gateway === undefined) return;
  const { secretKey: configuredKey, dataDir } = config;
  const masterKey = findOrCreateMasterKey({ configuredKey, dataDir, isDatabaseInUse: true });
  if (!canDecryptCheckText(createSecrets(masterKey), gateway.check))
    throw new InvalidSetting('SECRET_KEY is not the master key that encrypted the secrets in this backup');
}

async function restoreFiles(directory: string, from: string, { files }: Manifest): Promise<void> {
  for (const { name } of files ?? [])
    await writePart(join(directory, name), createReadStream(join(from, filesFolder, name)));
}
