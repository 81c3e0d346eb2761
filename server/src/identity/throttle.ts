import { createHash } from 'node:crypto';
import type { Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../refusal.ts';
import { countAttempt, uncountAttempts } from './store.ts';

/** How many attempts something has in a window that begins with the first. All processes count together. */
export type AttemptLimit = {
  readonly key: string;
  readonly limit: number;
  readonly windowSeconds: number;
  /** What uses it up; wrong guesses, unless given. */
  readonly counts?: 'wrong guesses' | 'successes';
};

type ThrottleDeps = Pick<Deps, 'db' | 'clock'>;

/** Takes one attempt, before it is made, so that many at once cannot slip by. Refused with RATE_LIMITED. */
export async function takeAttempt({ db, clock }: ThrottleDeps, allowance: AttemptLimit): Promise<void> {
  const now = clock.now();
  const { attempts, endsAt } = await countAttempt(db, allowance, now);
  if (attempts <= allowance.limit) return;
  throw new Refusal('RATE_LIMITED', { retryAfterSeconds: (endsAt.getTime() - now.getTime()) / 1000 });
}

/**
 * Takes one attempt of each of these, or of none: what is refused was not made, and uses up nothing that others share.
 * Refused with RATE_LIMITED.
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

/** Does `work` as an attempt under all these allowances. Each is given back unless what it counts came of it. */
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

/** Whether something happens for the first time in a window: for news of which one mail is enough. */
export async function isFirstInWindow({ db, now }: Tx, key: string, windowSeconds: number): Promise<boolean> {
  const { attempts } = await countAttempt(db, { key, limit: 1, windowSeconds }, now);
  return attempts === 1;
}

/** A name for a key that does not spell out what somebody typed: it may be a password in the wrong field. */
export function opaqueKey(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
