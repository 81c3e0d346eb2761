import { Refusal } from './refusal.ts';

/** Runs what it is given, so many at once as it was made for. */
export type WorkQueue = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * A queue that runs `parallel` pieces of work at once while at most `waiting` more wait. Beyond that a caller is
 * refused with OVERLOADED: an answer at once is worth more than one that comes too late.
 */
export function createWorkQueue({ parallel, waiting }: { parallel: number; waiting: number }): WorkQueue {
  let running = 0;
  const queue: (() => void)[] = [];

  async function enter(): Promise<void> {
    if (running < parallel) {
      running += 1;
      return;
    }
    if (queue.length >= waiting) throw new Refusal('OVERLOADED', { retryAfterSeconds: 1 });
    await new Promise<void>((resolve) => queue.push(resolve));
  }

  /** A place that comes free goes to the first who waits, so it is never counted as free in between. */
  function leave(): void {
    const next = queue.shift();
    if (next === undefined) running -= 1;
    else next();
  }

  return async (work) => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
