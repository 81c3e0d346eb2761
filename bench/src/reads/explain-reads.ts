import { transactionFeed } from '@jangada/contract';
import pg from 'pg';
import { machineClock } from '../../../server/src/clock.ts';
import type { Db } from '../../../server/src/db/pool.ts';
import { listTransactions } from '../../../server/src/payments/list-transactions.ts';
import { dailyStats } from '../../../server/src/reports/routes.ts';
import { walletStats } from '../../../server/src/reports/wallet-stats.ts';
import { createRecorder, explain } from '../../../server/test/explain.ts';
import { type Reader, type ReadRequest, reads } from './reads.ts';

/**
 * The cost of one read in PostgreSQL: the 8 KiB pages (`buffers`) and the time of all its statements. PostgreSQL may
 * plan a prepared statement for its parameters (custom) or for any parameters (generic); the more expensive plan
 * counts.
 */
export type ReadCost = {
  readonly buffers: number;
  readonly milliseconds: number;
  /** The nodes of the plans. */
  readonly steps: readonly string[];
  /** The sequential scans among the nodes of both kinds of plan. */
  readonly scans: readonly string[];
};

/** Returns the costs of each read by its name, for the statements that the server really sends. */
export async function explainReads(ownerUrl: string, reader: Reader): Promise<Map<string, ReadCost>> {
  const recorder = createRecorder(ownerUrl);
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const costs = new Map<string, ReadCost>();
    for (const read of reads) {
      const statements = await recorder.record((db) => execute(db, reader, read.requestOf(reader, 1)));
      const costsByKind: ReadCost[] = [];
      for (const kind of ['custom', 'generic'] as const) {
        const plans = [];
        for (const statement of statements) plans.push(await explain(client, statement, kind));
        const steps = plans.flatMap((plan) => plan.steps);
        costsByKind.push({
          buffers: plans.reduce((sum, { buffers }) => sum + buffers, 0),
          milliseconds: plans.reduce((sum, { milliseconds }) => sum + milliseconds, 0),
          steps,
          scans: steps.filter((step) => step.startsWith('Seq Scan')),
        });
      }
      const mostExpensive = costsByKind.toSorted((a, b) => b.buffers - a.buffers)[0];
      if (mostExpensive !== undefined)
        costs.set(read.name, { ...mostExpensive, scans: costsByKind.flatMap(({ scans }) => scans) });
    }
    return costs;
  } finally {
    await client.end();
    await recorder.db.destroy();
  }
}

/** Does what the gateway does for a request, without HTTP, so that its statements can be recorded. */
function execute(db: Db, { userId }: Reader, request: ReadRequest): Promise<unknown> {
  if (request.endpoint === 'wallet') return walletStats({ db }, userId);
  if (request.endpoint === 'days') return dailyStats({ db, clock: machineClock }, userId, 90);
  const config = { publicUrl: 'http://localhost' };
  return listTransactions(
    { db, clock: machineClock, config },
    userId,
    transactionFeed.query.parse(request.query),
  );
}
