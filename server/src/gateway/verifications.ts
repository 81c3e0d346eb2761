import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const verified = ['ledger', 'audit'] as const;

/** The last result of a verification command. */
export type Verification = {
  readonly what: (typeof verified)[number];
  readonly at: Date;
  readonly ok: boolean;
};

const kept = z.object({ at: z.iso.datetime().transform((text) => new Date(text)), ok: z.boolean() });

/** Records the result in the data directory, where the gateway's metrics read it. */
export async function keepVerification(dataDir: string, { what, at, ok }: Verification): Promise<void> {
  const unfinished = `${fileOf(dataDir, what)}.${process.pid}`;
  await writeFile(unfinished, `${JSON.stringify({ at: at.toISOString(), ok })}\n`, { mode: 0o600 });
  await rename(unfinished, fileOf(dataDir, what));
}

/** The last result of each verification; those never run or unreadable are omitted. */
export async function readVerifications(dataDir: string): Promise<Verification[]> {
  const read = await Promise.all(
    verified.map(async (what) => {
      const text = await readFile(fileOf(dataDir, what), 'utf8').catch(() => '{}');
      const { data } = kept.safeParse(jsonOf(text));
      return data === undefined ? [] : [{ what, ...data }];
    }),
  );
  return read.flat();
}

function fileOf(dataDir: string, what: Verification['what']): string {
  return join(dataDir, `verified-${what}`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
