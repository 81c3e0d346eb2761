// The manifest of a backup lists its parts with their checksums. Taking and restoring a backup share this file.

import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { readMigrations } from '../db/migrate.ts';

const fileSchema = z.object({ name: z.string(), bytes: z.number(), sha256: z.string() });

const manifestSchema = z.object({
  format: z.literal(1),
  version: z.string(),
  takenAt: z.iso.datetime(),
  /**
   * The database's migrations, each with its name and checksum. Only a program with the same migrations can restore the
   * backup.
   */
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  /** Ordered so that each table follows the tables that it references. */
  tables: z.array(fileSchema.extend({ columns: z.array(z.string()), rows: z.number() })),
  sequences: z.array(z.object({ name: z.string(), lastValue: z.string(), isCalled: z.boolean() })),
  /** Null if the files are in a bucket, which must be backed up separately. */
  files: z.array(fileSchema).nullable(),
});

/** The contents of a backup, with a checksum for each part. */
export type Manifest = z.output<typeof manifestSchema>;
export type BackedUpFile = z.output<typeof fileSchema>;

export const manifestFile = 'manifest.json';
export const tablesFolder = 'tables';
export const filesFolder = 'files';

/** @throws if the folder has no valid manifest */
export async function readManifest(folder: string): Promise<Manifest> {
  return manifestSchema.parse(JSON.parse(await readFile(join(folder, manifestFile), 'utf8')));
}

/** The migrations of this program's version, in the form in which a manifest lists them. */
export async function readProgramMigrations(): Promise<Manifest['migrations']> {
  return (await readMigrations()).map(({ name, checksum }) => ({ name, checksum }));
}

/**
 * Writes a new file that only its owner can read, flushes it to disk, and returns its size and checksum. `streams` are
 * the source of the content and the streams that transform it.
 */
export async function writePart(path: string, ...streams: [Readable, ...NodeJS.ReadWriteStream[]]) {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const hash = createHash('sha256');
  let bytes = 0;
  const measuringStream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  await pipeline([...streams, measuringStream, createWriteStream(path, { flags: 'wx', mode: 0o600 })]);
  const writtenFile = await open(path, 'r');
  await writtenFile.sync().finally(() => writtenFile.close());
  return { bytes, sha256: hash.digest('hex') };
}

export async function checksumOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
