import { createHash } from 'node:crypto';
import pLimit from 'p-limit';
import { DatabaseUnavailable } from '../db/outage.ts';
import { maxConnectionWaitMs } from '../db/pool.ts';
import { retryOnConflict, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../refusal.ts';
import {
  type AttemptLimit,
  type CountedAttempts,
  countAttempts,
  decrementAttempts,
  findAttempts,
} from './store.ts';

/*
 * Limits on attempts, such as guesses of a password: each counts the attempts under one key within a window of time,
 * for all processes together.
 */

type ThrottleDeps = Pick<Deps, 'db' | 'clock'>;

/**
 * Only a few attempts are counted at once; the others wait here without a database connection. Attempts on one account
 * or from one network update the same rows, so each would otherwise hold a connection while it waits for a lock.
 */
const runInTurn = pLimit(4);

/**
 * Runs `work` when a turn is free. A caller that has waited too long is refused, like one that waits too long for a
 * connection of the pool: the database is too slow.
 */
function limitConcurrency<T>(work: () => Promise<T>): Promise<T> {
  const queuedAt = performance.now();
  return runInTurn(() => {
    if (performance.now() - queuedAt >= maxConnectionWaitMs)
      throw new DatabaseUnavailable('the database is too slow');
    return work();
  });
}

/**
 * Counts an attempt. Must be called before the attempted work starts, so that concurrent attempts cannot exceed the
 * limit. Refused with RATE_LIMITED.
 */
export function enforceAttemptLimit(deps: ThrottleDeps, limit: AttemptLimit): Promise<void> {
  return enforceAttemptLimits(deps, [limit]);
}

/**
 * Counts an attempt towards all these limits or towards none, so that a refused attempt uses up no shared limit.
 * Refused with RATE_LIMITED.
 */
export async function enforceAttemptLimits(
  { db, clock }: ThrottleDeps,
  limits: readonly AttemptLimit[],
): Promise<void> {
  if (limits.length === 0) return;
  const now = clock.now();
  const keys = limits.map(({ key }) => key);
  // The counts are first read without a lock, so that a flood of attempts on an exhausted limit writes nothing.
  const before = await findAttempts(db, keys, now);
  // The counts that were read do not include this attempt, so it is added before the comparison.
  refuseExcess(
    limits,
    before.map((row) => ({ ...row, attempts: row.attempts + 1 })),
    now,
  );
  const counted = await limitConcurrency(() => retryOnConflict(() => countAttempts(db, limits, now)));
  try {
    refuseExcess(limits, counted, now);
  } catch (error) {
    await takeBackAttempts(db, limits);
    throw error;
  }
}

function refuseExcess(limits: readonly AttemptLimit[], counted: readonly CountedAttempts[], now: Date): void {
  for (const { key, limit } of limits) {
    const count = counted.find((row) => row.key === key);
    if (count === undefined || count.attempts <= limit) continue;
    throw new Refusal('RATE_LIMITED', { retryAfterSeconds: (count.endsAt.getTime() - now.getTime()) / 1000 });
  }
}

async function takeBackAttempts(db: Deps['db'], limits: readonly AttemptLimit[]): Promise<void> {
  if (limits.length === 0) return;
  const keys = limits.map(({ key }) => key);
  await limitConcurrency(() => retryOnConflict(() => decrementAttempts(db, keys)));
}

/** The refusals that mean that the password or the second factor was wrong. */
const wrongGuessCodes = new Set([
  'INVALID_CREDENTIALS',
  'PASSWORD_WRONG',
  'SECOND_FACTOR_WRONG',
  'PASSKEY_NOT_ACCEPTED',
]);

/**
 * Runs `work` as an attempt under all these limits. The attempt is counted under every limit before the work starts,
 * and afterwards taken back where its outcome does not count: a success stays counted only by limits on successes, a
 * wrong guess only by limits on wrong guesses, and any other failure by none. Refused with RATE_LIMITED, and like
 * `work`.
 */
export async function runWithAttemptLimits<T>(
  deps: ThrottleDeps,
  limits: readonly AttemptLimit[],
  work: () => Promise<T>,
): Promise<T> {
  const successLimits = limits.filter(({ counts }) => counts === 'successes');
  const guessLimits = limits.filter(({ counts }) => counts !== 'successes');
  await enforceAttemptLimits(deps, limits);
  try {
    const result = await work();
    await takeBackAttempts(deps.db, guessLimits);
    return result;
  } catch (error) {
    const isWrongGuess = error instanceof Refusal && wrongGuessCodes.has(error.code);
    await takeBackAttempts(deps.db, isWrongGuess ? successLimits : limits);
    throw error;
  }
}

/**
 * Counts an event and returns whether it is the first in its window of time, so that a mail about a repeated event is
 * sent only once.
 */
export async function countAndCheckIfFirst(
  { db, now }: Tx,
  key: string,
  windowSeconds: number,
): Promise<boolean> {
  const [count] = await countAttempts(db, [{ key, windowSeconds }], now);
  return count?.attempts === 1;
}

/**
 * Hashes a text for use in the key of a limit, because keys are stored as they are, and a typed text may be a password
 * in the wrong field.
 */
export function hashForLimitKey(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
