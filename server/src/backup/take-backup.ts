import { createReadStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Config } from '../config.ts';
import { connectClient } from '../db/client.ts';
import {
  type BackedUpFile,
  filesFolder,
  type Manifest,
  manifestFile,
  readProgramMigrations,
  tablesFolder,
  writePart,
} from './manifest.ts';
import { quoteNames, readSequences, readTables } from './store.ts';

export type BackupOptions = {
  readonly config: Pick<Config, 'version' | 'files'>;
  /** Connects as the role that owns the tables. */
  readonly ownerUrl: string;
  /** A folder that does not exist yet. */
  readonly into: string;
  readonly now: Date;
};

/**
 * Backs up a consistent snapshot of the database and the files; the gateway may be running. An unfinished backup has a
 * folder name of its own, and the next backup into the same folder replaces it. The master key is not included.
 */
export async function takeBackup({ config, ownerUrl, into, now }: BackupOptions): Promise<Manifest> {
  if ((await stat(into).catch(() => undefined)) !== undefined) throw new Error(`${into} is there already.`);
  const draftFolder = `${into}.unfinished`;
  await rm(draftFolder, { recursive: true, force: true });
  await mkdir(draftFolder, { recursive: true, mode: 0o700 });
  const client = await connectClient(ownerUrl);
  try {
    await client.query('begin isolation level repeatable read read only');
    const migrations = await readMigrationsOfDatabase(client);
    const tables = await copyTables(client, join(draftFolder, tablesFolder));
    const sequences = await readSequences(client);
    // Files are copied after the tables. A file is written before the row that names it and deleted before that row, so
    // each row of the backup has its file, unless the file was deleted meanwhile.
    const files =
      config.files.bucket === undefined ? await copyFiles(config.files.directory, draftFolder) : null;
    const takenAt = now.toISOString();
    const manifest = {
      format: 1 as const,
      version: config.version,
      takenAt,
      migrations,
      tables,
      sequences,
      files,
    };
    await writeFile(join(draftFolder, manifestFile), `${JSON.stringify(manifest, undefined, 1)}\n`, {
      mode: 0o600,
      flush: true,
    });
    await rename(draftFolder, into);
    return manifest;
  } finally {
    await client.end();
  }
}

/** Returns the migrations of the database. Throws if they differ from those of this program. */
async function readMigrationsOfDatabase(client: pg.Client): Promise<Manifest['migrations']> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations order by name',
  );
  const expected = await readProgramMigrations();
  if (JSON.stringify(rows) !== JSON.stringify(expected))
    throw new Error('The database has another version than this program: back it up with its own.');
  return expected;
}

async function copyTables(client: pg.Client, folder: string): Promise<Manifest['tables']> {
  const tables: Manifest['tables'] = [];
  for (const { name, columns } of await readTables(client)) {
    const copyStream = client.query(copyTo(`copy ${quoteNames([name])} (${quoteNames(columns)}) to stdout`));
    const file = `${name}.copy.gz`;
    const sizeAndChecksum = await writePart(join(folder, file), copyStream, createGzip({ level: 6 }));
    tables.push({ name, columns: [...columns], rows: copyStream.rowCount, ...sizeAndChecksum });
  }
  return tables;
}

async function copyFiles(directory: string, into: string): Promise<BackedUpFile[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  const files: BackedUpFile[] = [];
  for (const entry of entries) {
    // A name with a dot belongs to a file that is still being written: no row of the database names that file yet.
    if (!entry.isFile() || entry.name.includes('.')) continue;
    const path = join(entry.parentPath, entry.name);
    const name = relative(directory, path);
    const sizeAndChecksum = await writePart(join(into, filesFolder, name), createReadStream(path)).catch(
      ignoreMissingFile,
    );
    if (sizeAndChecksum !== undefined) files.push({ name, ...sizeAndChecksum });
  }
  return files;
}

/** Skips a file that was deleted while the backup ran. After a restore, the gateway treats that file as deleted too. */
function ignoreMissingFile(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}
