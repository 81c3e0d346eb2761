import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailable } from './db/outage.ts';
import { databaseErrorCode } from './db/transaction.ts';
import { BrokenInvariant, invariant } from './invariant.ts';

export type BatcherOptions<Item, Result> = {
  /** Processes a batch and returns one result per item, in order. Must do all or nothing. */
  readonly work: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Maximum batch size. */
  readonly maxBatchSize: number;
  /** Maximum number of concurrent runs of `work`; items that arrive while all are busy wait for the next run. */
  readonly maxConcurrentRuns: number;
  /**
   * A pause under load, to collect more items: after a batch of at least `pauseFromBatchSize` items, the next batch
   * starts this much later. No pause by default.
   */
  readonly pauseMs?: number;
  /** The batch size from which `pauseMs` applies; 4 by default. */
  readonly pauseFromBatchSize?: number;
  /**
   * An item that waits this long because all runs are busy is refused with DatabaseUnavailable. No work was done for
   * the refused item.
   */
  readonly maxWaitMs?: number;
};

export type Batcher<Item, Result> = {
  /** Resolves or rejects with the result of this item. */
  add(item: Item): Promise<Result>;
};

type QueuedItem<Item, Result> = PromiseWithResolvers<Result> & {
  readonly item: Item;
  readonly queuedAt: number;
};

/**
 * Batches work that arrives at the same time: one statement, commit or call for many costs little more than for one.
 *
 * A single item waits for no timer. While a run is free, an item starts in the next microtask, together with those
 * added in the same tick. While all runs are busy, items wait for the first to end and then go together. So a single
 * item is as fast as without batching, and batches grow with the load, up to `maxBatchSize`.
 *
 * Items fail individually: a batch rejected because of its contents is retried in halves until the bad item has failed
 * alone. If the cause lies elsewhere (the database is unreachable), the whole batch fails together, so that no one
 * waits for hundreds of separate failures.
 */
export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>): Batcher<Item, Result> {
  const { work, maxBatchSize, maxConcurrentRuns, pauseMs = 0, pauseFromBatchSize = 4, maxWaitMs } = options;
  let queue: QueuedItem<Item, Result>[] = [];
  let runningCount = 0;
  let isStartScheduled = false;
  let refusalTimer: NodeJS.Timeout | undefined;

  function startRuns(): void {
    isStartScheduled = false;
    while (runningCount < maxConcurrentRuns && queue.length > 0) {
      const batch = queue.slice(0, maxBatchSize);
      queue = queue.slice(maxBatchSize);
      runningCount += 1;
      void run(batch).then(() => endRun(batch.length));
    }
    const [oldest] = queue;
    if (maxWaitMs === undefined || oldest === undefined || refusalTimer !== undefined) return;
    refusalTimer = setTimeout(refuseOverdue, oldest.queuedAt + maxWaitMs - performance.now(), maxWaitMs);
  }

  function refuseOverdue(waitMs: number): void {
    refusalTimer = undefined;
    const now = performance.now();
    const firstNotOverdue = queue.findIndex(({ queuedAt }) => now - queuedAt < waitMs);
    const overdue = queue.splice(0, firstNotOverdue === -1 ? queue.length : firstNotOverdue);
    for (const { reject } of overdue) reject(new DatabaseUnavailable('the database is too slow'));
    startRuns();
  }

  async function endRun(batchSize: number): Promise<void> {
    if (pauseMs > 0 && batchSize >= pauseFromBatchSize && queue.length < maxBatchSize) await sleep(pauseMs);
    runningCount -= 1;
    startRuns();
  }

  async function run(batch: readonly QueuedItem<Item, Result>[]): Promise<void> {
    try {
      const results = await work(batch.map(({ item }) => item));
      // A wrong number of results is a defect. The work is done by then, so it must not be repeated.
      invariant(results.length === batch.length, 'the work returns one result for each item');
      for (const [index, result] of results.entries()) batch[index]?.resolve(result);
    } catch (error) {
      if (batch.length > 1 && mayDependOnItems(error)) {
        const half = batch.length >> 1;
        await run(batch.slice(0, half));
        await run(batch.slice(half));
      } else for (const { reject } of batch) reject(error);
    }
  }

  return {
    add(item) {
      const queuedItem = { ...Promise.withResolvers<Result>(), item, queuedAt: performance.now() };
      queue.push(queuedItem);
      if (!isStartScheduled) queueMicrotask(startRuns);
      isStartScheduled = true;
      return queuedItem.promise;
    },
  };
}

// SQLSTATE classes: connection failure (08), not authorised (28), no such database (3D), invalid transaction state such
// as read-only (25), insufficient resources (53), operator intervention (57), system error (58), internal error (XX).
const unavailableClasses = new Set(['08', '28', '3D', '25', '53', '57', '58', 'XX']);
// Belongs to class 57, but is no failure of the server: the statement timed out, and a smaller batch may be fast
// enough.
const statementCancelled = '57014';

/** Returns whether the error may come from the items of a batch, so that smaller batches may succeed. */
function mayDependOnItems(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof BrokenInvariant || error instanceof DatabaseUnavailable) return false;
  const code = databaseErrorCode(error);
  // If the connection broke, the error has the code of a system error, or no code: then it is a plain Error, or the
  // AggregateError of several attempts to connect.
  if (code === undefined) return error.constructor !== Error && !(error instanceof AggregateError);
  const isSqlState = 'severity' in error;
  return isSqlState && (code === statementCancelled || !unavailableClasses.has(code.slice(0, 2)));
}
