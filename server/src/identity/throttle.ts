import { createHash } from 'node:crypto';
import pLimit from 'p-limit';
import { DatabaseUnavailable } from '../db/outage.ts';
import { longestWaitMs } from '../db/pool.ts';
import { retryOnConflict, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../refusal.ts';
import {
  type AttemptLimit,
  type CountedAttempts,
  countAttempts,
  findAttempts,
  uncountAttempts,
} from './store.ts';

type ThrottleDeps = Pick<Deps, 'db' | 'clock'>;

/**
 * Attempts on one account or from one network update the same rows, and each would hold a database connection while it
 * waits for the others' locks. So at most this many count at once, and the rest wait here without a connection.
 */
const turns = pLimit(4);

/** Refuses a caller that has waited too long for its turn, as the pool does for a connection: the database is slow. */
function limitConcurrency<T>(work: () => Promise<T>): Promise<T> {
  const queuedAt = performance.now();
  return turns(() => {
    if (performance.now() - queuedAt >= longestWaitMs)
      throw new DatabaseUnavailable('the database is too slow');
    return work();
  });
}

/**
 * Counts an attempt before the work starts, so that concurrent attempts cannot exceed the limit. Refused with
 * RATE_LIMITED.
 */
export function takeAttempt(deps: ThrottleDeps, limit: AttemptLimit): Promise<void> {
  return takeAttempts(deps, [limit]);
}

/**
 * Counts an attempt towards all these limits or towards none, so that a refused attempt uses up no shared limit.
 * Refused with RATE_LIMITED.
 */
export async function takeAttempts(
  { db, clock }: ThrottleDeps,
  limits: readonly AttemptLimit[],
): Promise<void> {
  if (limits.length === 0) return;
  const now = clock.now();
  const keys = limits.map(({ key }) => key);
  // The limits are first read without a lock, so that a flood of attempts on a limit that is used up writes nothing.
  const before = await findAttempts(db, keys, now);
  // This attempt is not counted yet, so it is added here: it is refused if it would be one too many.
  refuseExcess(
    limits,
    before.map((row) => ({ ...row, attempts: row.attempts + 1 })),
    now,
  );
  const counted = await limitConcurrency(() => retryOnConflict(() => countAttempts(db, limits, now)));
  try {
    refuseExcess(limits, counted, now);
  } catch (error) {
    await uncount(db, limits);
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

/** Takes an attempt back from these limits. */
async function uncount(db: Deps['db'], limits: readonly AttemptLimit[]): Promise<void> {
  if (limits.length === 0) return;
  const keys = limits.map(({ key }) => key);
  await limitConcurrency(() => retryOnConflict(() => uncountAttempts(db, keys)));
}

/** The refusals that mean that the password or the second factor was wrong. */
const wrongGuessCodes = new Set([
  'INVALID_CREDENTIALS',
  'PASSWORD_WRONG',
  'SECOND_FACTOR_WRONG',
  'PASSKEY_NOT_ACCEPTED',
]);

/**
 * Runs `work` as an attempt under all these limits. It is counted towards every limit before the work starts, and
 * uncounted afterwards as the outcome says. A success stays counted only by limits on successes, a wrong guess only by
 * limits on wrong guesses, and any other failure by none. Refused with RATE_LIMITED, and like `work`.
 */
export async function runAttempt<T>(
  deps: ThrottleDeps,
  limits: readonly AttemptLimit[],
  work: () => Promise<T>,
): Promise<T> {
  const successLimits = limits.filter(({ counts }) => counts === 'successes');
  const guessLimits = limits.filter(({ counts }) => counts !== 'successes');
  await takeAttempts(deps, limits);
  try {
    const result = await work();
    await uncount(deps.db, guessLimits);
    return result;
  } catch (error) {
    const isWrongGuess = error instanceof Refusal && wrongGuessCodes.has(error.code);
    await uncount(deps.db, isWrongGuess ? successLimits : limits);
    throw error;
  }
}

/**
 * Counts an event, and returns whether it is the first in its window of time, so that an event that repeats is mailed only
 * once.
 */
export async function countAndCheckIfFirst(
  { db, now }: Tx,
  key: string,
  windowSeconds: number,
): Promise<boolean> {
  const [count] = await countAttempts(db, [{ key, windowSeconds }], now);
  return count?.attempts === 1;
}

/** Hashes typed text for use in a key, because the text may be a password in the wrong field. */
export function opaqueKey(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
