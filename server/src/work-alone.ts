import type { Logger } from 'pino';
import { isDatabaseOutage } from './db/outage.ts';

/**
 * Works on each of several items alone, in their order. What an item throws is logged with what `describe` says of it, and
 * stops no other item; only an outage of the database ends the work. Returns how many items did not fail.
 */
export async function workOnEachAlone<T>(
  log: Logger,
  items: readonly T[],
  { work, describe }: { work: (item: T) => Promise<unknown>; describe: (item: T) => Record<string, unknown> },
): Promise<number> {
  let worked = 0;
  for (const item of items)
    try {
      await work(item);
      worked += 1;
    } catch (err) {
      if (isDatabaseOutage(err)) throw err;
      log.error({ err, ...describe(item) }, 'background work on one item failed, and goes on with the next');
    }
  return worked;
}
