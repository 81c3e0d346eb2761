import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { readMigrations } from '../db/migrate.ts';

const file = z.object({ name: z.string(), bytes: z.number(), sha256: z.string() });

const manifestSchema = z.object({
  format: z.literal(1),
  version: z.string(),
  takenAt: z.iso.datetime(),
  /** The schema of the tables: name and checksum of each migration. */
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  /** Ordered so that each table follows those it references. */
  tables: z.array(file.extend({ columns: z.array(z.string()), rows: z.number() })),
  sequences: z.array(z.object({ name: z.string(), lastValue: z.string(), isCalled: z.boolean() })),
  /** Null: the files are in a bucket, which must be backed up separately. */
  files: z.array(file).nullable(),
});

/** The contents of a backup, with a checksum of each part. */
export type Manifest = z.output<typeof manifestSchema>;
export type KeptFile = z.output<typeof file>;

export const manifestFile = 'manifest.json';
export const tablesFolder = 'tables';
export const filesFolder = 'files';

/** @throws when the file is not a manifest */
export async function readManifest(folder: string): Promise<Manifest> {
  return manifestSchema.parse(JSON.parse(await readFile(join(folder, manifestFile), 'utf8')));
}

export async function ownMigrations(): Promise<Manifest['migrations']> {
  return (await readMigrations()).map(({ name, checksum }) => ({ name, checksum }));
}
