import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { Refusal } from '../refusal.ts';
import { createChallenge, type OpenChallenge, openChallenge } from './challenge.ts';
import { checkSubmittedFactor, consumeFactor, wrongFactor } from './consume-factor.ts';
import { elevateSession, requireSession } from './elevate-session.ts';
import { insertStepUp, readFactors, selectPasskeys, takeChallenge } from './factor-store.ts';
import { passkeyRequestOptions } from './passkey.ts';
import { type FactorMethod, hasFactor, methodsOf } from './second-factor.ts';
import { FACTOR_FRESH_MS, hashToken, newToken } from './session.ts';
import { runAttempt, takeAttempt } from './throttle.ts';
import { sessionGuesses } from './throttle-codes.ts';
import { type SubmittedFactor, verifyFactor } from './verify-factor.ts';

type StepUpDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'secrets' | 'log'>;

/**
 * Returns the methods by which this session can give the second factor, with a challenge for passkeys. Refused with
 * FACTOR_MISSING or RATE_LIMITED.
 */
export async function beginStepUp(
  deps: StepUpDeps,
  caller: Caller,
): Promise<{
  methods: FactorMethod[];
  challenge: string | null;
  options: Record<string, unknown> | null;
}> {
  const { userId } = caller;
  await takeAttempt(deps, { key: `step-up asked by ${userId}`, limit: 60, windowSeconds: 3600 });
  const factors = await readFactors(deps.db, userId);
  if (!hasFactor(factors)) throw new Refusal('FACTOR_MISSING');
  const methods = methodsOf(factors);
  if (factors.passkeys === 0) return { methods, challenge: null, options: null };
  const options = await passkeyRequestOptions(deps, await selectPasskeys(deps.db, userId));
  const challenge = await createChallenge(
    { db: deps.db, now: deps.clock.now() },
    { purpose: 'step-up', userId, sessionHash: requireSession(caller), webauthnChallenge: options.challenge },
  );
  return { methods, challenge, options };
}

/**
 * Verifies the second factor in an open session. For five minutes the session counts as verified, and so does a call
 * with the returned token in x-step-up. Refused with SECOND_FACTOR_WRONG, CHALLENGE_EXPIRED, FACTOR_MISSING or
 * RATE_LIMITED.
 */
export async function stepUp(
  deps: StepUpDeps,
  caller: Caller,
  { challenge, ...given }: SubmittedFactor & { readonly challenge?: string | undefined },
): Promise<{ token: string; expires_in: number }> {
  checkSubmittedFactor(given);
  const { userId } = caller;
  const sessionHash = requireSession(caller);
  if (!hasFactor(await readFactors(deps.db, userId))) throw new Refusal('FACTOR_MISSING');
  const asked = given.code === undefined ? await answeredBy(deps, caller, challenge) : undefined;
  const guesses = given.code === undefined ? [] : sessionGuesses(sessionHash);
  return runAttempt(deps, guesses, async () => {
    const question = { userId, webauthnChallenge: asked?.webauthnChallenge ?? null };
    const factor = await verifyFactor(deps, question, given);
    if (factor === undefined) throw wrongFactor(given);
    const token = newToken();
    await inTransaction(deps, async (tx) => {
      if (asked && !(await takeChallenge(tx, asked.hash))) throw new Refusal('CHALLENGE_EXPIRED');
      await consumeFactor(tx, userId, factor);
      await elevateSession(tx, sessionHash);
      const expiresAt = new Date(tx.now.getTime() + FACTOR_FRESH_MS);
      await insertStepUp(tx, {
        token_hash: hashToken(token),
        session_hash: sessionHash,
        expires_at: expiresAt,
      });
    });
    return { token, expires_in: FACTOR_FRESH_MS / 1000 };
  });
}

function answeredBy(deps: StepUpDeps, caller: Caller, challenge: string | undefined): Promise<OpenChallenge> {
  if (challenge === undefined) throw new Refusal('CHALLENGE_EXPIRED');
  return openChallenge(deps, challenge, { purpose: 'step-up', sessionHash: requireSession(caller) });
}
