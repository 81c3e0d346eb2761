import { createReadStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Config } from '../config.ts';
import {
  filesFolder,
  type KeptFile,
  type Manifest,
  manifestFile,
  ownMigrations,
  tablesFolder,
  writeKept,
} from './manifest.ts';
import { named, readSequences, readTables } from './store.ts';

export type BackupOptions = {
  readonly config: Pick<Config, 'version' | 'files'>;
  /** Connects as the role that owns the tables. */
  readonly ownerUrl: string;
  /** A folder that does not exist yet. */
  readonly into: string;
  readonly now: Date;
};

/**
 * Backs up a consistent snapshot of the database, beside a running gateway, and its files. An unfinished backup has
 * another folder name and is removed when the next one begins. The master key is not included.
 */
export async function takeBackup({ config, ownerUrl, into, now }: BackupOptions): Promise<Manifest> {
  if ((await stat(into).catch(() => undefined)) !== undefined) throw new Error(`${into} is there already.`);
  const unfinished = `${into}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const migrations = await readApplied(client);
    const tables = await keepTables(client, join(unfinished, tablesFolder));
    const sequences = await readSequences(client);
    // Files are copied after the tables: a file is written before the row that names it, and deleted before that row.
    const files =
      config.files.bucket === undefined ? await keepFiles(config.files.directory, unfinished) : null;
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
    await writeFile(join(unfinished, manifestFile), `${JSON.stringify(manifest, undefined, 1)}\n`, {
      mode: 0o600,
      flush: true,
    });
    await rename(unfinished, into);
    return manifest;
  } finally {
    await client.end();
  }
}

/** Refuses a database whose migrations differ from this program's. */
async function readApplied(client: pg.Client): Promise<Manifest['migrations']> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations order by name',
  );
  const own = await ownMigrations();
  if (JSON.stringify(rows) !== JSON.stringify(own))
    throw new Error('The database has another version than this program: back it up with its own.');
  return own;
}

async function keepTables(client: pg.Client, folder: string): Promise<Manifest['tables']> {
  const kept: Manifest['tables'] = [];
  for (const { name, columns } of await readTables(client)) {
    const rows = client.query(copyTo(`copy ${named([name])} (${named(columns)}) to stdout`));
    const file = `${name}.copy.gz`;
    const written = await writeKept(join(folder, file), rows, createGzip({ level: 6 }));
    kept.push({ name, columns: [...columns], rows: rows.rowCount, ...written });
  }
  return kept;
}

async function keepFiles(directory: string, into: string): Promise<KeptFile[]> {
  const found = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  const kept: KeptFile[] = [];
  for (const entry of found) {
    // A draft has a dot in its name: no row refers to it yet.
    if (!entry.isFile() || entry.name.includes('.')) continue;
    const path = join(entry.parentPath, entry.name);
    const name = relative(directory, path);
    const written = await writeKept(join(into, filesFolder, name), createReadStream(path)).catch(unlessGone);
    if (written !== undefined) kept.push({ name, ...written });
  }
  return kept;
}

/** A file deleted while the backup ran is skipped: it also reads as deleted after a restore. */
function unlessGone(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}
