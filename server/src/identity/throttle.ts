import { createHash } from 'node:crypto';
import type { Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../refusal.ts';
import { type AttemptLimit, countAttempt, uncountAttempts } from './store.ts';

type ThrottleDeps = Pick<Deps, 'db' | 'clock'>;

/**
 * Takes an attempt before the work starts, so that concurrent attempts cannot exceed the limit. Refused with
 * RATE_LIMITED.
 */
export async function takeAttempt({ db, clock }: ThrottleDeps, allowance: AttemptLimit): Promise<void> {
  const now = clock.now();
  const { attempts, endsAt } = await countAttempt(db, allowance, now);
  if (attempts <= allowance.limit) return;
  throw new Refusal('RATE_LIMITED', { retryAfterSeconds: (endsAt.getTime() - now.getTime()) / 1000 });
}

/**
 * Takes an attempt from all limits or from none, so that a refused attempt uses up no shared limit. Refused with
 * RATE_LIMITED.
 */
export async function takeAttempts(deps: ThrottleDeps, allowances: readonly AttemptLimit[]): Promise<void> {
  for (const [at, allowance] of allowances.entries())
    try {
      await takeAttempt(deps, allowance);
    } catch (error) {
      await giveBack(deps, allowances.slice(0, at + 1));
      throw error;
    }
}

function giveBack({ db }: ThrottleDeps, allowances: readonly AttemptLimit[]): Promise<void> {
  return uncountAttempts(
    db,
    allowances.map(({ key }) => key),
  );
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
      deps,
      allowances.filter(({ counts }) => counts !== 'successes'),
    );
    return result;
  } catch (error) {
    const isWrong = error instanceof Refusal && wrongGuesses.has(error.code);
    await giveBack(deps, isWrong ? allowances.filter(({ counts }) => counts === 'successes') : allowances);
    throw error;
  }
}

/** True the first time in a window; for news that needs only one mail. */
export async function isFirstInWindow({ db, now }: Tx, key: string, windowSeconds: number): Promise<boolean> {
  const { attempts } = await countAttempt(db, { key, limit: 1, windowSeconds }, now);
  return attempts === 1;
}

/** A hash for use in keys, which hides what somebody typed: it may be a password in the wrong field. */
export function opaqueKey(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
