import { setTimeout as rest } from 'node:timers/promises';
import type { Logger } from 'pino';

export type LoopOptions = {
  readonly name: string;
  readonly everyMs: number;
  /** The least time between two runs, so that each does more; the first run after a quiet time starts at once. */
  readonly restMs?: number;
  /** Returns how much it did: above 0 there may be more, and it is called again at once. */
  readonly work: () => Promise<number>;
};

/** Work that is repeated, one run at a time. */
export type Loop = {
  readonly name: string;
  /** Runs now instead of when it is due; if called during a run, runs once more after it. */
  wake(): void;
  /** Whether runs happen when they should. A failed run counts as a run: what it depends on may be down. */
  healthy(): boolean;
  /** Resolves when the current run has ended; none follows. */
  stop(): Promise<void>;
};

const longestPauseMs = 60_000;
const longestRunMs = 10 * 60_000;
const lateMs = 60_000;

/** Starts a loop. Failed runs are logged, and the pauses after them grow to a minute or to `everyMs`. */
export function repeat(log: Logger, { name, everyMs, restMs = 0, work }: LoopOptions): Loop {
  let stopped = false;
  let wakes = 0;
  let failures = 0;
  let dueBy = Date.now() + longestRunMs;
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
    dueBy = Date.now() + longestRunMs;
    try {
      const did = await work();
      failures = 0;
      return did;
    } catch (error) {
      failures += 1;
      log.error({ err: error, loop: name, failures }, 'a background loop failed');
      return 0;
    }
  }

  async function pauseAfterRun(): Promise<void> {
    const milliseconds = failures === 0 ? everyMs : pauseAfter(failures, everyMs);
    dueBy = Date.now() + milliseconds + lateMs;
    await pause(milliseconds);
  }

  async function runUntilStopped(): Promise<void> {
    while (!stopped) {
      const wakesBefore = wakes;
      const did = await run();
      const ended = performance.now();
      if (did === 0 && !stopped && wakes === wakesBefore) await pauseAfterRun();
      const left = ended + restMs - performance.now();
      if (left > 0 && !stopped) await rest(left);
    }
  }

  const ended = runUntilStopped();
  return {
    name,
    wake() {
      wakes += 1;
      endPause();
    },
    healthy: () => !stopped && Date.now() <= dueBy,
    stop() {
      stopped = true;
      endPause();
      return ended;
    },
  };
}

function pauseAfter(failures: number, everyMs: number): number {
  const longest = Math.max(longestPauseMs, Math.min(everyMs, 10 * longestPauseMs));
  return Math.min(longest, Math.max(500, Math.min(everyMs, longestPauseMs)) * 2 ** (failures - 1));
}
