import { createHash } from 'node:crypto';
import pLimit from 'p-limit';
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
 * Attempts on one account or from one network update the same rows, so they would wait for each other's locks, each
 * with a connection. They wait here instead, before they take one, so that the connections remain available to others.
 */
const limitConcurrency = pLimit(4);

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
  refuseExcess(
    limits,
    before.map((row) => ({ ...row, attempts: row.attempts + 1 })),
    now,
  );
  const counted = await limitConcurrency(() => retryOnConflict(() => countAttempts(db, limits, now)));
  try {
    refuseExcess(limits, counted, now);
  } catch (error) {
    await returnAttempts(db, limits);
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

async function returnAttempts(db: Deps['db'], limits: readonly AttemptLimit[]): Promise<void> {
  if (limits.length === 0) return;
  const keys = limits.map(({ key }) => key);
  await limitConcurrency(() => retryOnConflict(() => uncountAttempts(db, keys)));
}

const wrongGuessCodes = new Set([
  'INVALID_CREDENTIALS',
  'PASSWORD_WRONG',
  'SECOND_FACTOR_WRONG',
  'PASSKEY_NOT_ACCEPTED',
]);

/**
 * Runs `work` as an attempt under all these limits. The attempt counts towards all of them while the work runs; then it
 * is given back to each limit that does not count this outcome.
 */
export async function runAttempt<T>(
  deps: ThrottleDeps,
  limits: readonly AttemptLimit[],
  work: () => Promise<T>,
): Promise<T> {
  await takeAttempts(deps, limits);
  try {
    const result = await work();
    await returnAttempts(
      deps.db,
      limits.filter(({ counts }) => counts !== 'successes'),
    );
    return result;
  } catch (error) {
    const isWrongGuess = error instanceof Refusal && wrongGuessCodes.has(error.code);
    await returnAttempts(
      deps.db,
      isWrongGuess ? limits.filter(({ counts }) => counts === 'successes') : limits,
    );
    throw error;
  }
}

/** Returns true for the first event in a window of time, so that an event that repeats is mailed only once. */
export async function isFirstInWindow({ db, now }: Tx, key: string, windowSeconds: number): Promise<boolean> {
  const [count] = await countAttempts(db, [{ key, windowSeconds }], now);
  return count?.attempts === 1;
}

/** Hashes typed text for use in a key, because the text may be a password in the wrong field. */
export function opaqueKey(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
