import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { invariant } from '../invariant.ts';
import { Refusal } from '../refusal.ts';
import { assertMaySignIn } from './assert-may-sign-in.ts';
import { openChallenge } from './challenge.ts';
import { checkSubmittedFactor, consumeFactor, wrongFactor } from './consume-factor.ts';
import { takeChallenge } from './factor-store.ts';
import { type ClientInfo, openSession } from './open-session.ts';
import { runAttempt } from './throttle.ts';
import { signInGuesses } from './throttle-codes.ts';
import { type SubmittedFactor, verifyFactor } from './verify-factor.ts';

/**
 * Completes a sign-in with the second factor, after the right password. Refused with CHALLENGE_EXPIRED,
 * SECOND_FACTOR_WRONG, RATE_LIMITED, or ACCOUNT_FROZEN when the factor was right.
 */
export async function completeSignIn(
  deps: Pick<Deps, 'db' | 'clock' | 'config' | 'secrets' | 'log'>,
  { challenge, ...given }: SubmittedFactor & { readonly challenge: string },
  visitor: ClientInfo,
): Promise<{ token: string }> {
  checkSubmittedFactor(given);
  const asked = await openChallenge(deps, challenge, { purpose: 'sign-in', sessionHash: null });
  const { userId } = asked;
  invariant(userId !== null, 'who gave a password is known');
  const guesses = given.code === undefined ? [] : await signInGuesses(deps, userId, visitor);
  return runAttempt(deps, guesses, async () => {
    const factor = await verifyFactor(deps, { ...asked, userId }, given);
    if (factor === undefined) throw wrongFactor(given);
    return inTransaction(deps, async (tx) => {
      await assertMaySignIn(tx, userId);
      if (!(await takeChallenge(tx, asked.hash))) throw new Refusal('CHALLENGE_EXPIRED');
      await consumeFactor(tx, userId, factor);
      return { token: await openSession(tx, userId, visitor, true) };
    });
  });
}
