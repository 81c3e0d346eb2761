import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const verifiableParts = ['ledger', 'audit'] as const;

/** The last result of a verification command. */
export type Verification = {
  /** What was verified: the ledger or the audit log. */
  readonly subject: (typeof verifiableParts)[number];
  readonly at: Date;
  readonly ok: boolean;
};

const storedResult = z.object({ at: z.iso.datetime().transform((text) => new Date(text)), ok: z.boolean() });

/** Records the result in the data directory, where the gateway's metrics read it. */
export async function saveVerification(dataDir: string, { subject, at, ok }: Verification): Promise<void> {
  const draftPath = `${resultPath(dataDir, subject)}.${process.pid}`;
  await writeFile(draftPath, `${JSON.stringify({ at: at.toISOString(), ok })}\n`, { mode: 0o600 });
  await rename(draftPath, resultPath(dataDir, subject));
}

/**
 * Reads the last result of each verification. A verification that never ran, or has an unreadable result, is omitted.
 */
export async function readVerifications(dataDir: string): Promise<Verification[]> {
  const verifications = await Promise.all(
    verifiableParts.map(async (subject) => {
      const text = await readFile(resultPath(dataDir, subject), 'utf8').catch(() => '{}');
      const { data } = storedResult.safeParse(parseJson(text));
      return data === undefined ? [] : [{ subject, ...data }];
    }),
  );
  return verifications.flat();
}

function resultPath(dataDir: string, subject: Verification['subject']): string {
  return join(dataDir, `verified-${subject}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
