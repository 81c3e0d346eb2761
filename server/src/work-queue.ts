import { Refusal } from './refusal.ts';

/**
 * Runs `work` within the queue's concurrency limit. `lane` identifies the owner of the work; work without an owner
 * shares one lane.
 */
export type WorkQueue = <T>(work: () => Promise<T>, lane?: string) => Promise<T>;

/**
 * A queue that runs up to `parallel` jobs at once and holds up to `waiting` more. Beyond that a caller is refused with
 * OVERLOADED: a fast refusal is better than a late answer. Lanes take turns, and in a full queue the longest lane gives
 * up its last job, so that a caller with much work delays only itself.
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

  /** Passes a freed slot directly to the next waiting job, so that it never counts as free in between. */
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
