import { Refusal } from './refusal.ts';

/**
 * Runs `work` within the queue's concurrency limit. `lane` identifies the owner of the work; work without an owner
 * shares one lane.
 */
export type WorkQueue = <T>(work: () => Promise<T>, lane?: string) => Promise<T>;

/**
 * Creates a queue that runs up to `parallel` pieces of work concurrently and holds up to `waiting` more. Beyond that,
 * work is refused with OVERLOADED: a fast refusal is better than a late response. Lanes take turns, and in a full queue
 * the longest lane gives up its last piece of work, so that a caller with much work delays only itself.
 */
export function createWorkQueue({ parallel, waiting }: { parallel: number; waiting: number }): WorkQueue {
  let runningCount = 0;
  let waitingCount = 0;
  /** The waiting work of each lane, in the order in which the lanes take turns. No lane is empty. */
  const lanes = new Map<string, PromiseWithResolvers<void>[]>();

  async function takeSlot(lane: string): Promise<void> {
    if (runningCount < parallel) {
      runningCount += 1;
      return;
    }
    if (waitingCount >= waiting) dropLastOfLongestLane(lane);
    const turn = Promise.withResolvers<void>();
    const turns = lanes.get(lane);
    if (turns === undefined) lanes.set(lane, [turn]);
    else turns.push(turn);
    waitingCount += 1;
    await turn.promise;
  }

  /** Refuses the new work, unless another lane is longer: then that lane's last work is refused instead. */
  function dropLastOfLongestLane(lane: string): void {
    const longest = [...lanes.values()].reduce(
      (longestSoFar, turns) => (turns.length > longestSoFar.length ? turns : longestSoFar),
      [],
    );
    const refusal = new Refusal('OVERLOADED', { retryAfterSeconds: 1 });
    if (longest.length <= (lanes.get(lane)?.length ?? 0) + 1) throw refusal;
    longest.pop()?.reject(refusal);
    waitingCount -= 1;
  }

  /** Passes a freed slot directly to the next waiting work, so that the slot never counts as free in between. */
  function releaseSlot(): void {
    const [nextLane] = lanes;
    if (nextLane === undefined) {
      runningCount -= 1;
      return;
    }
    const [lane, turns] = nextLane;
    const next = turns.shift();
    lanes.delete(lane);
    if (turns.length > 0) lanes.set(lane, turns);
    waitingCount -= 1;
    next?.resolve();
  }

  return async (work, lane = '') => {
    await takeSlot(lane);
    try {
      return await work();
    } finally {
      releaseSlot();
    }
  };
}
