import pMap from 'p-map';
import { addMs } from '../clock.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { saveNotifications } from '../notifications/index.ts';
import { writeMessages } from '../outbox/index.ts';
import { createFromRequest } from '../payments/index.ts';
import { Refusal } from '../refusal.ts';
import { emitBatchCompleted } from '../webhooks/index.ts';
import {
  completeBatch,
  findBatch,
  finishLine,
  type LeasedLine,
  leaseLines,
  noteCharge,
  type OpenBatch,
  postponeLine,
  takeBatches,
} from './store.ts';

/** How many batches, each of another merchant, have a turn at the same time, and how many lines a turn has. */
const batchesPerTurn = 4;
const linesPerTurn = 64;
const concurrentLines = 8;
/** An attempt that took longer, or that a dying process left, is made again. */
const leaseMs = 120_000;
const retryMs = 5000;
const longestRetryMs = 300_000;
/** After so many attempts, which take an hour and a half, the line is refused with the last reason. */
const maxAttempts = 24;

/** Creates the charges of batches, a few lines of each in turn. Returns how many lines it worked on. */
export async function workOffBatches(deps: Deps): Promise<number> {
  const batches = await inTransaction(deps, (tx) => takeBatches(tx, batchesPerTurn));
  const counts = await Promise.all(batches.map((batch) => workOffBatch(deps, batch)));
  return counts.reduce((sum, count) => sum + count, 0);
}

async function workOffBatch(deps: Deps, batch: OpenBatch): Promise<number> {
  const lines = await inTransaction(deps, (tx) =>
    leaseLines(tx, batch, addMs(tx.now, leaseMs), linesPerTurn),
  );
  await pMap(lines, (line) => workOffLine(deps, batch, line), { concurrency: concurrentLines });
  await inTransaction(deps, async (tx) => {
    if (await completeBatch(tx, batch)) await publishCompleted(tx, batch);
  });
  return lines.length;
}

async function workOffLine(deps: Deps, batch: OpenBatch, line: LeasedLine): Promise<void> {
  const key = { ...batch, ...line };
  try {
    const { merchantId, requestId, madeWith, createdBy } = batch;
    const charge = await createFromRequest(
      deps,
      { merchantId, createdBy: createdBy ?? undefined, by: { requestId, madeWith } },
      line.request,
      {
        resumedId: line.chargeId ?? undefined,
        remember: async (chargeId) => {
          if (!(await noteCharge(deps.db, key, chargeId))) throw new LeaseEnded('another attempt is made');
        },
      },
    );
    await finishLine(deps.db, key, { state: 'created', charge_id: charge.id });
  } catch (error) {
    await settleFailure(deps, batch, line, error);
  }
}

/** Nothing was stored: whoever has the line now goes on with it. */
class LeaseEnded extends Error {}

async function settleFailure(deps: Deps, batch: OpenBatch, line: LeasedLine, error: unknown): Promise<void> {
  if (error instanceof LeaseEnded) return;
  const key = { ...batch, ...line };
  const isFinal = error instanceof Refusal && error.retryAfterSeconds === undefined;
  if (!(error instanceof Refusal))
    deps.log.error(
      { err: error, batchId: batch.id, line: line.line },
      'a line of a batch could not be worked off',
    );
  if (!isFinal && line.attempts < maxAttempts) {
    const waitMs = Math.min(retryMs * 2 ** Math.min(line.attempts - 1, 10), longestRetryMs);
    await postponeLine(deps.db, key, addMs(deps.clock.now(), waitMs));
    return;
  }
  const refusal = error instanceof Refusal ? error : new Refusal('PAYMENT_PROCESSING_ERROR');
  await finishLine(deps.db, key, { state: 'refused', code: refusal.code, message: refusal.message });
}

async function publishCompleted(tx: Tx, { merchantId, id }: OpenBatch): Promise<void> {
  const batch = await findBatch(tx.db, merchantId, id);
  if (batch === undefined) return;
  const { created, refused } = batch.counts;
  await emitBatchCompleted(tx, batch);
  const name = batch.reference === null ? 'O lote' : `O lote “${batch.reference}”`;
  const lines = refused === 1 ? '1 linha foi recusada' : `${refused} linhas foram recusadas`;
  const refusals = refused === 0 ? '' : ` ${lines}.`;
  const messages = await saveNotifications(tx, [
    {
      merchantId,
      title: 'Lote concluído',
      body: `${name} terminou: ${created} cobranças criadas.${refusals}`,
      data: { type: 'batch.completed', id },
    },
  ]);
  await writeMessages(tx, messages);
}
