import { Refusal } from './refusal.ts';

/** Runs what it is given, so many at once as it was made for. `lane`: whose work it is; nobody's is one lane too. */
export type WorkQueue = <T>(work: () => Promise<T>, lane?: string) => Promise<T>;

/**
 * A queue that runs `parallel` pieces of work at once while at most `waiting` more wait. Beyond that a caller is
 * refused with OVERLOADED: an answer at once is worth more than one that comes too late. Lanes take turns, and in a full
 * queue the longest one gives way: whoever comes with much waits behind themselves and keeps nobody else out.
 */
export function createWorkQueue({ parallel, waiting }: { parallel: number; waiting: number }): WorkQueue {
  let running = 0;
  let queued = 0;
  /** In the order of their turns. None is empty. */
  const lanes = new Map<string, PromiseWithResolvers<void>[]>();

  async function enter(lane: string): Promise<void> {
    if (running < parallel) {
      running += 1;
      return;
    }
    if (queued >= waiting) makeRoom(lane);
    const turn = Promise.withResolvers<void>();
    const own = lanes.get(lane);
    if (own === undefined) lanes.set(lane, [turn]);
    else own.push(turn);
    queued += 1;
    await turn.promise;
  }

  function makeRoom(lane: string): void {
    const longest = [...lanes.values()].reduce((one, other) => (other.length > one.length ? other : one), []);
    const busy = new Refusal('OVERLOADED', { retryAfterSeconds: 1 });
    if (longest.length <= (lanes.get(lane)?.length ?? 0) + 1) throw busy;
    longest.pop()?.reject(busy);
    queued -= 1;
  }

  /** A place that comes free goes to who waits, so it is never counted as free in between. */
  function leave(): void {
    const [first] = lanes;
    if (first === undefined) {
      running -= 1;
      return;
    }
    const [lane, turns] = first;
    const next = turns.shift();
    lanes.delete(lane);
    if (turns.length > 0) lanes.set(lane, turns);
    queued -= 1;
    next?.resolve();
  }

  return async (work, lane = '') => {
    await enter(lane);
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
