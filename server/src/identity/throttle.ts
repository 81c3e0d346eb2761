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
 * Attempts on one account or from one network update the same rows and wait for each other's locks. They wait here
 * instead, before they take a connection, so that the other connections of the pool remain available.
 */
const limitConcurrency = pLimit(4);

/**
 * Takes an attempt before the work starts, so that concurrent attempts cannot exceed the limit. Refused with
 * RATE_LIMITED.
 */
export function takeAttempt(deps: ThrottleDeps, allowance: AttemptLimit): Promise<void> {
  return takeAttempts(deps, [allowance]);
}

/**
 * Takes an attempt from all limits or from none, so that a refused attempt uses up no shared limit. Refused with
 * RATE_LIMITED.
 */
export async function takeAttempts(
  { db, clock }: ThrottleDeps,
  allowances: readonly AttemptLimit[],
): Promise<void> {
  if (allowances.length === 0) return;
  const now = clock.now();
  const keys = allowances.map(({ key }) => key);
  // Limits that are used up are found without a lock, so that a flood of refused attempts writes nothing.
  const before = await findAttempts(db, keys, now);
  refuseExcess(
    allowances,
    before.map((row) => ({ ...row, attempts: row.attempts + 1 })),
    now,
  );
  const counted = await limitConcurrency(() => retryOnConflict(() => countAttempts(db, allowances, now)));
  try {
    refuseExcess(allowances, counted, now);
  } catch (error) {
    await returnAttempts(db, allowances);
    throw error;
  }
}

function refuseExcess(
  allowances: readonly AttemptLimit[],
  counted: readonly CountedAttempts[],
  now: Date,
): void {
  for (const { key, limit } of allowances) {
    const count = counted.find((row) => row.key === key);
    if (count === undefined || count.attempts <= limit) continue;
    throw new Refusal('RATE_LIMITED', { retryAfterSeconds: (count.endsAt.getTime() - now.getTime()) / 1000 });
  }
}

async function returnAttempts(db: Deps['db'], allowances: readonly AttemptLimit[]): Promise<void> {
  if (allowances.length === 0) return;
  const keys = allowances.map(({ key }) => key);
  await limitConcurrency(() => retryOnConflict(() => uncountAttempts(db, keys)));
}

const wrongGuessCodes = new Set([
  'INVALID_CREDENTIALS',
  'PASSWORD_WRONG',
  'SECOND_FACTOR_WRONG',
  'PASSKEY_NOT_ACCEPTED',
]);

/**
 * Runs `work` as an attempt under all these limits, and returns the attempt to each limit that does not count the
 * outcome.
 */
export async function runAttempt<T>(
  deps: ThrottleDeps,
  allowances: readonly AttemptLimit[],
  work: () => Promise<T>,
): Promise<T> {
  await takeAttempts(deps, allowances);
  try {
    const result = await work();
    await returnAttempts(
      deps.db,
      allowances.filter(({ counts }) => counts !== 'successes'),
    );
    return result;
  } catch (error) {
    const isWrongGuess = error instanceof Refusal && wrongGuessCodes.has(error.code);
    await returnAttempts(
      deps.db,
      isWrongGuess ? allowances.filter(({ counts }) => counts === 'successes') : allowances,
    );
    throw error;
  }
}

/** Returns true the first time in a window, so that an event that repeats is mailed only once. */
export async function isFirstInWindow({ db, now }: Tx, key: string, windowSeconds: number): Promise<boolean> {
  const [count] = await countAttempts(db, [{ key, windowSeconds }], now);
  return count?.attempts === 1;
}

/** Hashes typed text for use in a key, because the text may be a password in the wrong field. */
export function opaqueKey(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
