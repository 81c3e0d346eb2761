import { transactionFeed } from '@jangada/contract';
import pg from 'pg';
import { machineClock } from '../../../server/src/clock.ts';
import type { Db } from '../../../server/src/db/pool.ts';
import { listTransactions } from '../../../server/src/payments/list-transactions.ts';
import { dailyStats } from '../../../server/src/reports/routes.ts';
import { walletStats } from '../../../server/src/reports/wallet-stats.ts';
import { createRecorder, explain } from '../../../server/test/explain.ts';
import { type Read, type Reader, type ReadRequest, reads } from './reads.ts';

/** The cost of one read in PostgreSQL: 8 KiB pages and time of all its statements, by the more expensive of both plans. */
export type Explained = {
  readonly buffers: number;
  readonly milliseconds: number;
  readonly steps: readonly string[];
  readonly scans: readonly string[];
};

/** The costs by the name of the read, for the statements that the server really sends. */
export async function explainReads(ownerUrl: string, reader: Reader): Promise<Map<string, Explained>> {
  const recorder = createRecorder(ownerUrl);
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const found = new Map<string, Explained>();
    for (const read of reads) {
      const statements = await recorder.record((db) => carryOut(db, reader, askedBy(read, reader)));
      const kinds: Explained[] = [];
      for (const kind of ['custom', 'generic'] as const) {
        const plans = [];
        for (const statement of statements) plans.push(await explain(client, statement, kind));
        const steps = plans.flatMap((plan) => plan.steps);
        kinds.push({
          buffers: plans.reduce((sum, { buffers }) => sum + buffers, 0),
          milliseconds: plans.reduce((sum, { milliseconds }) => sum + milliseconds, 0),
          steps,
          scans: steps.filter((step) => step.startsWith('Seq Scan')),
        });
      }
      const dearest = kinds.toSorted((a, b) => b.buffers - a.buffers)[0];
      if (dearest !== undefined)
        found.set(read.name, { ...dearest, scans: kinds.flatMap(({ scans }) => scans) });
    }
    return found;
  } finally {
    await client.end();
    await recorder.db.destroy();
  }
}

const askedBy = (read: Read, reader: Reader) => read.ask(reader, 1);

function carryOut(db: Db, { userId }: Reader, asked: ReadRequest): Promise<unknown> {
  if (asked.of === 'wallet') return walletStats({ db }, userId);
  if (asked.of === 'days') return dailyStats({ db, clock: machineClock }, userId, 90);
  const config = { publicUrl: 'http://localhost' };
  return listTransactions(
    { db, clock: machineClock, config },
    userId,
    transactionFeed.query.parse(asked.query),
  );
}
