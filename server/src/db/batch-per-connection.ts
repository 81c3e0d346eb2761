import { type Batcher, type BatcherOptions, createBatcher } from '../batcher.ts';
import type { Db } from './pool.ts';
import type { Tx } from './transaction.ts';

type Connected = Db | Tx['db'];

type GatherOnOptions<Item, Result> = Omit<BatcherOptions<Item, Result>, 'work'> & {
  readonly work: (db: Connected, items: readonly Item[]) => Promise<readonly Result[]>;
};

/**
 * Batches concurrent requests to one database (`batcher.ts`): each database, and each open transaction, has its own
 * batcher. `work` should be one statement, which is a transaction by itself.
 */
export function batchPerConnection<Item, Result>({ work, ...options }: GatherOnOptions<Item, Result>) {
  const gatherings = new WeakMap<Connected, Batcher<Item, Result>>();
  return (db: Connected, item: Item): Promise<Result> => {
    let gathering = gatherings.get(db);
    if (gathering === undefined) {
      gathering = createBatcher({ ...options, work: (items) => work(db, items) });
      gatherings.set(db, gathering);
    }
    return gathering.add(item);
  };
}
