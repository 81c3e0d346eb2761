import { type Batcher, type BatcherOptions, createBatcher } from '../batcher.ts';
import { type Db, maxConnectionWaitMs } from './pool.ts';
import type { Tx } from './transaction.ts';

type Connection = Db | Tx['db'];

type ConnectionBatcherOptions<Item, Result> = Omit<BatcherOptions<Item, Result>, 'work'> & {
  readonly work: (db: Connection, items: readonly Item[]) => Promise<readonly Result[]>;
};

/**
 * Returns a function that collects concurrent items into batches, runs `work` on each batch (`batcher.ts`), and
 * resolves to the result for its own item. Each database and each open transaction has a batcher of its own, so no
 * batch mixes them. `work` should be a single statement, so that a batch is done entirely or not at all.
 */
export function batchPerConnection<Item, Result>({
  work,
  ...options
}: ConnectionBatcherOptions<Item, Result>) {
  const batchers = new WeakMap<Connection, Batcher<Item, Result>>();
  return (db: Connection, item: Item): Promise<Result> => {
    let batcher = batchers.get(db);
    if (batcher === undefined) {
      batcher = createBatcher({
        ...options,
        maxWaitMs: maxConnectionWaitMs,
        work: (items) => work(db, items),
      });
      batchers.set(db, batcher);
    }
    return batcher.add(item);
  };
}
