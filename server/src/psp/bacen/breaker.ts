import type { BankHealth } from '../psp.ts';

/** After this many failed attempts in a row, calls that may fail fast are no longer made. */
const failuresBeforePause = 8;
/** The pause begins with this and doubles with each trial that fails. */
const firstPauseMs = 1000;
const maxPauseMs = 30_000;
/** A trial that nobody reports the end of would otherwise be the last one. Longer than any call. */
const maxTrialMs = 60_000;
/** Charges that were not created say nothing of the bank any more after this long without another attempt. */
const uncreatedHoldsMs = 3_600_000;

/**
 * Watches the attempts to reach one bank with one set of credentials. While the bank does not answer or refuses the
 * credentials, calls fail fast for a short, growing pause; after each pause a single call is tried.
 */
export type BankBreaker = {
  /** Whether a call that may fail fast is made now. */
  admits(): boolean;
  answered(): void;
  /** `reason`: what failed, in Portuguese, as the owner of the account reads it. */
  failed(reason: string): void;
  chargeCreated(): void;
  /** The bank may answer everything else, such as the lists that are read again and again. */
  chargeNotCreated(reason: string): void;
  health(): BankHealth;
};

/** Charges that were not created. `answers`: how many answers there were when the second of them failed. */
type UncreatedCharges = {
  readonly count: number;
  readonly lastAtMs: number;
  readonly reason: string;
  readonly answers: number;
};

/** `now`: the time in milliseconds, by a clock that only goes forward. */
export function createBreaker(now: () => number = () => performance.now()): BankBreaker {
  let answers = 0;
  let failuresInARow = 0;
  let lastFailure: string | undefined;
  let pauseMs = firstPauseMs;
  /** When the next trial may be made; undefined while calls are made as usual. */
  let trialAtMs: number | undefined;
  let trialEndsByMs: number | undefined;
  /** Those since the last charge that was created. */
  let uncreated: UncreatedCharges | undefined;
  const recentlyUncreated = () =>
    uncreated !== undefined && now() - uncreated.lastAtMs < uncreatedHoldsMs ? uncreated : undefined;
  return {
    admits() {
      if (trialAtMs === undefined) return true;
      const isTrialRunning = trialEndsByMs !== undefined && now() < trialEndsByMs;
      if (isTrialRunning || now() < trialAtMs) return false;
      trialEndsByMs = now() + maxTrialMs;
      return true;
    },
    answered() {
      answers += 1;
      failuresInARow = 0;
      lastFailure = undefined;
      pauseMs = firstPauseMs;
      trialAtMs = undefined;
      trialEndsByMs = undefined;
    },
    failed(reason) {
      failuresInARow += 1;
      lastFailure = reason;
      if (failuresInARow < failuresBeforePause) return;
      if (trialAtMs === undefined) trialAtMs = now() + pauseMs;
      else if (trialEndsByMs !== undefined) {
        pauseMs = Math.min(maxPauseMs, pauseMs * 2);
        trialAtMs = now() + pauseMs;
      }
      trialEndsByMs = undefined;
    },
    chargeCreated() {
      uncreated = undefined;
    },
    chargeNotCreated(reason) {
      const before = recentlyUncreated();
      const count = (before?.count ?? 0) + 1;
      // One charge may fail for a reason of its own. The count of answers must not go back, so it stops at the second.
      uncreated = { count, lastAtMs: now(), reason, answers: count > 2 ? (before?.answers ?? 0) : answers };
    },
    health() {
      const { count = 0, reason, answers: answersBefore = answers } = recentlyUncreated() ?? {};
      if (count < 2) return { answers, failuresInARow, lastFailure };
      return {
        answers: answersBefore,
        failuresInARow: Math.max(failuresInARow, count),
        lastFailure: lastFailure ?? reason,
      };
    },
  };
}
