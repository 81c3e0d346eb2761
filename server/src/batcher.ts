import { setTimeout as pause } from 'node:timers/promises';
import { databaseErrorCode } from './db/transaction.ts';
import { BrokenInvariant, invariant } from './invariant.ts';

export type BatcherOptions<Item, Result> = {
  /** Does what came together, and answers for each in its place. Must do all or nothing. */
  readonly work: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** As many as go together. */
  readonly most: number;
  /** Runs of `work` at the same time; what comes while all of them are taken is the next one's. */
  readonly atOnce: number;
  /** Under load, after a run of at least `crowd`, the next begins so much later: more come along. */
  readonly restMs?: number;
  /** How many make a crowd: 4, unless given. */
  readonly crowd?: number;
};

export type Batcher<Item, Result> = {
  /** Fulfilled or rejected with what became of this one. */
  add(item: Item): Promise<Result>;
};

type Waiting<Item, Result> = PromiseWithResolvers<Result> & { readonly item: Item };

/**
 * Does together what arrives together: one statement, one commit or one call for many costs little more than for one.
 *
 * A lone one waits for no timer. What comes while a run is free starts at once, before anything else is waited for, with
 * what was added in the same stroke; what comes while all runs are taken waits for the first of them to end, and then
 * goes with everything else that came meanwhile. So a lone one is as fast as if there were no gathering, and groups
 * grow with the load by themselves, up to `most`.
 *
 * Each stands for itself: when a group is refused for what is in it, it is tried again in halves, until the one that
 * cannot be done has failed alone. When what fails is not in it (the database is away), all of it fails at once:
 * nobody waits for each of hundreds to fail by itself.
 */
export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>): Batcher<Item, Result> {
  const { work, most, atOnce, restMs = 0, crowd = 4 } = options;
  let waiting: Waiting<Item, Result>[] = [];
  let running = 0;
  let starting = false;

  function startSome(): void {
    starting = false;
    while (running < atOnce && waiting.length > 0) {
      const group = waiting.slice(0, most);
      waiting = waiting.slice(most);
      running += 1;
      void run(group).then(() => endRun(group.length));
    }
  }

  async function endRun(done: number): Promise<void> {
    if (restMs > 0 && done >= crowd && waiting.length < most) await pause(restMs);
    running -= 1;
    startSome();
  }

  async function run(group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await work(group.map(({ item }) => item));
      // A defect, found when the work is done: it must not be done again.
      invariant(results.length === group.length, 'one answer for each is wanted');
      for (const [place, result] of results.entries()) group[place]?.resolve(result);
    } catch (error) {
      if (group.length > 1 && liesInItems(error)) {
        const half = group.length >> 1;
        await run(group.slice(0, half));
        await run(group.slice(half));
      } else for (const { reject } of group) reject(error);
    }
  }

  return {
    add(item) {
      const one = { ...Promise.withResolvers<Result>(), item };
      waiting.push(one);
      if (!starting) queueMicrotask(startSome);
      starting = true;
      return one.promise;
    },
  };
}

// SQLSTATE classes: no connection, no right to one, no such database, no writing there, too little of something, stopped
// by an operator, its system, itself.
const databaseAway = new Set(['08', '28', '3D', '25', '53', '57', '58', 'XX']);
// Of class 57, but told of one statement: it took too long, and fewer may not.
const tookTooLong = '57014';

/** Whether smaller groups may fare better. What comes from a broken connection is a plain Error, or has a system's code. */
function liesInItems(error: unknown): boolean {
  if (error instanceof BrokenInvariant) return false;
  const code = databaseErrorCode(error);
  if (code === undefined)
    return error instanceof Error && error.constructor !== Error && !(error instanceof AggregateError);
  const isSqlState = error instanceof Error && 'severity' in error;
  return isSqlState && (code === tookTooLong || !databaseAway.has(code.slice(0, 2)));
}
