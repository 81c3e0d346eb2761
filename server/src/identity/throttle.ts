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
 * Attempts on one account or from one network update the same rows and wait for each other. Waiting here, and not with
 * a connection in hand, they leave the other connections of the pool to everybody else.
 */
const inTurn = pLimit(4);

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
  // A limit that is used up is read without a lock: a flood of refused attempts writes nothing.
  const before = await findAttempts(db, keys, now);
  refuseExcess(
    allowances,
    before.map((one) => ({ ...one, attempts: one.attempts + 1 })),
    now,
  );
  const counted = await inTurn(() => retryOnConflict(() => countAttempts(db, allowances, now)));
  try {
    refuseExcess(allowances, counted, now);
  } catch (error) {
    await giveBack(db, allowances);
    throw error;
  }
}

function refuseExcess(
  allowances: readonly AttemptLimit[],
  counted: readonly CountedAttempts[],
  now: Date,
): void {
  for (const { key, limit } of allowances) {
    const count = counted.find((one) => one.key === key);
    if (count === undefined || count.attempts <= limit) continue;
    throw new Refusal('RATE_LIMITED', { retryAfterSeconds: (count.endsAt.getTime() - now.getTime()) / 1000 });
  }
}

async function giveBack(db: Deps['db'], allowances: readonly AttemptLimit[]): Promise<void> {
  if (allowances.length === 0) return;
  const keys = allowances.map(({ key }) => key);
  await inTurn(() => retryOnConflict(() => uncountAttempts(db, keys)));
}

const wrongGuesses = new Set([
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
    await giveBack(
      deps.db,
      allowances.filter(({ counts }) => counts !== 'successes'),
    );
    return result;
  } catch (error) {
    const isWrong = error instanceof Refusal && wrongGuesses.has(error.code);
    await giveBack(deps.db, isWrong ? allowances.filter(({ counts }) => counts === 'successes') : allowances);
    throw error;
  }
}

/** True the first time in a window; for news that needs only one mail. */
export async function isFirstInWindow({ db, now }: Tx, key: string, windowSeconds: number): Promise<boolean> {
  const [count] = await countAttempts(db, [{ key, windowSeconds }], now);
  return count?.attempts === 1;
}

/** A hash for use in keys, which hides what somebody typed: it may be a password in the wrong field. */
export function opaqueKey(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
