import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';

export type LoopOptions = {
  readonly name: string;
  readonly everyMs: number;
  /**
   * The shortest time from the end of a run to the start of the next, so that each run finds more to process. A run
   * that follows a longer pause starts immediately.
   */
  readonly restMs?: number;
  /**
   * Returns how many items it processed. If it processed any, there may be more, so it is called again without a pause.
   */
  readonly work: () => Promise<number>;
};

/** Work that is repeated, one run at a time. */
export type Loop = {
  readonly name: string;
  /** Ends the pause, so that the next run starts now. If called during a run, another run follows without a pause. */
  wake(): void;
  /**
   * Returns whether runs start when they are due and end in time. Failed runs do not make a loop unhealthy, because
   * something that the work depends on may be down.
   */
  healthy(): boolean;
  /** Starts no further run. Resolves when the current run has ended. */
  stop(): Promise<void>;
};

const minuteMs = 60_000;
/** A loop is not healthy if one run takes longer than this. */
const maxRunMs = 10 * minuteMs;
/** A loop is not healthy either if a run starts this much later than it is due. */
const latenessToleranceMs = minuteMs;

/** Starts a loop. Failed runs are logged, and the pauses after them grow (`backOffPauseMs`). */
export function startLoop(log: Logger, { name, everyMs, restMs = 0, work }: LoopOptions): Loop {
  let isStopped = false;
  let wakeCount = 0;
  let failures = 0;
  /** When the current run or pause must have ended for the loop to be healthy. */
  let dueBy = Date.now() + maxRunMs;
  let endPause = () => {};

  const pause = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  async function run(): Promise<number> {
    dueBy = Date.now() + maxRunMs;
    try {
      const processed = await work();
      failures = 0;
      return processed;
    } catch (error) {
      failures += 1;
      log.error({ err: error, loop: name, failures }, 'a background loop failed');
      return 0;
    }
  }

  async function pauseAfterRun(): Promise<void> {
    const pauseMs = failures === 0 ? everyMs : backOffPauseMs(failures, everyMs);
    dueBy = Date.now() + pauseMs + latenessToleranceMs;
    await pause(pauseMs);
  }

  async function runUntilStopped(): Promise<void> {
    while (!isStopped) {
      const wakeCountBefore = wakeCount;
      const processed = await run();
      const endedAt = performance.now();
      // A wake during the run may announce work that the run did not see, so no pause follows.
      if (processed === 0 && !isStopped && wakeCount === wakeCountBefore) await pauseAfterRun();
      const remainingRest = endedAt + restMs - performance.now();
      if (remainingRest > 0 && !isStopped) await sleep(remainingRest);
    }
  }

  const allRunsEnded = runUntilStopped();
  return {
    name,
    wake() {
      wakeCount += 1;
      endPause();
    },
    healthy: () => !isStopped && Date.now() <= dueBy,
    stop() {
      isStopped = true;
      endPause();
      return allRunsEnded;
    },
  };
}

/**
 * Exponential back-off: the pause starts at `everyMs` (at least 0.5 s, at most 1 min) and doubles up to 1 min, or up to
 * `everyMs` if that is longer, but never beyond 10 min.
 */
function backOffPauseMs(failures: number, everyMs: number): number {
  const maxPauseMs = Math.max(minuteMs, Math.min(everyMs, 10 * minuteMs));
  const firstPauseMs = Math.max(500, Math.min(everyMs, minuteMs));
  return Math.min(maxPauseMs, firstPauseMs * 2 ** (failures - 1));
}
