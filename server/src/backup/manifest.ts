import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { readMigrations } from '../db/migrate.ts';

const file = z.object({ name: z.string(), bytes: z.number(), sha256: z.string() });

const manifestSchema = z.object({
  format: z.literal(1),
  version: z.string(),
  takenAt: z.iso.datetime(),
  /** The schema that the tables fit, by name and checksum of each migration. */
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  /** In an order in which each stands after those that it refers to. */
  tables: z.array(file.extend({ columns: z.array(z.string()), rows: z.number() })),
  sequences: z.array(z.object({ name: z.string(), lastValue: z.string(), isCalled: z.boolean() })),
  /** Null: they lie in a bucket, which is kept by its own means. */
  files: z.array(file).nullable(),
});

/** What a backup holds, and by what each part of it is known again. */
export type Manifest = z.output<typeof manifestSchema>;
export type KeptFile = z.output<typeof file>;

export const manifestFile = 'manifest.json';
export const tablesFolder = 'tables';
export const filesFolder = 'files';

/** @throws when it is none */
export async function readManifest(folder: string): Promise<Manifest> {
  return manifestSchema.parse(JSON.parse(await readFile(join(folder, manifestFile), 'utf8')));
}

export async function ownMigrations(): Promise<Manifest['migrations']> {
  return (await readMigrations()).map(({ name, checksum }) => ({ name, checksum }));
}
