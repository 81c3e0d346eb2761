import { PASSWORD_FRESH_SECONDS } from '@jangada/contract';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { Refusal } from '../refusal.ts';
import { createChallenge, type OpenChallenge, openChallenge } from './challenge.ts';
import {
  insertStepUp,
  isStepUpValid,
  readFactors,
  recordFactorEntered,
  selectPasskeys,
  takeChallenge,
} from './factor-store.ts';
import { passkeyRequestOptions } from './passkey.ts';
import { accountHashQueue, verifyPassword } from './password.ts';
import { type FactorMethod, hasFactor, methodsOf } from './second-factor.ts';
import { FACTOR_FRESH_MS, hashToken, newToken } from './session.ts';
import { recordPasswordEntered } from './session-store.ts';
import { findPasswordHash } from './store.ts';
import { enforceAttemptLimit, hashForLimitKey, runWithAttemptLimits } from './throttle.ts';
import {
  checkSubmittedFactor,
  consumeFactor,
  type SubmittedFactor,
  sessionGuessLimits,
  verifyFactor,
  wrongFactorRefusal,
} from './verify-factor.ts';

/*
 * Proofs that a call needs beyond its session: a recent password, a recent second factor. A step-up is the second
 * factor given once more in an open session. It returns a token, valid for five minutes, which calls send in x-step-up.
 */

type FactorDeps = Pick<Deps, 'db' | 'clock'>;

/**
 * If the account has a second factor, requires that it was given recently: entered in this session, or proven by the
 * call's `stepUp` token (the header x-step-up). Refused with STEP_UP_REQUIRED, whose details list the methods that the
 * account can use.
 */
export async function requireFactor(
  deps: FactorDeps,
  caller: Caller,
  stepUp: string | undefined,
): Promise<void> {
  if (await isFactorSatisfied(deps, caller, stepUp)) return;
  const methods = methodsOf(await readFactors(deps.db, caller.userId));
  throw new Refusal('STEP_UP_REQUIRED', { details: { methods } });
}

/**
 * Like `requireFactor`, for actions that would let somebody with nothing but an open session reach the money. An
 * account without a second factor needs a recent password instead, and `details.methods` then contains only `password`.
 * Calls by API key pass, because the key's scopes limit them.
 */
export async function requireFactorOrPassword(
  deps: FactorDeps,
  caller: Caller,
  stepUp: string | undefined,
): Promise<void> {
  if (caller.authMethod === 'apiKey') return;
  await requireFactor(deps, caller, stepUp);
  if (isPasswordFresh(caller, deps.clock.now())) return;
  if (!hasFactor(await readFactors(deps.db, caller.userId)))
    throw new Refusal('STEP_UP_REQUIRED', {
      message: 'Confirme com a sua senha para continuar.',
      details: { methods: ['password'] },
    });
}

/** Returns whether `requireFactor` would pass, for callers that omit some data instead of refusing the call. */
export async function isFactorSatisfied(
  { db, clock }: FactorDeps,
  { userId, sessionHash, factorAt }: Caller,
  stepUp: string | undefined,
): Promise<boolean> {
  const now = clock.now();
  if (factorAt !== undefined && now.getTime() - factorAt.getTime() < FACTOR_FRESH_MS) return true;
  if (!hasFactor(await readFactors(db, userId))) return true;
  if (stepUp === undefined || sessionHash === undefined) return false;
  return isStepUpValid(db, hashToken(stepUp), sessionHash, now);
}

/** Returns whether the password was entered in this session so recently that it need not be entered again. */
export function isPasswordFresh({ passwordAt }: Caller, now: Date): boolean {
  return passwordAt !== undefined && now.getTime() - passwordAt.getTime() < PASSWORD_FRESH_SECONDS * 1000;
}

/**
 * Requires the password unless it was entered recently. Refused with PASSWORD_REQUIRED if no password was sent, and
 * with PASSWORD_WRONG, RATE_LIMITED or OVERLOADED if the sent one cannot be verified.
 */
export async function requirePassword(
  deps: Pick<Deps, 'db' | 'clock'>,
  caller: Caller,
  password: string | undefined,
): Promise<void> {
  if (password !== undefined) await confirmPassword(deps, caller, password);
  else if (!isPasswordFresh(caller, deps.clock.now())) throw new Refusal('PASSWORD_REQUIRED');
}

/**
 * Like `requirePassword`, for adding a factor. For the first factor of an account, the password entered at sign-in does
 * not count. Otherwise somebody who comes across a session just after sign-in could add a factor and lock the owner
 * out.
 */
export async function requirePasswordForFactor(
  deps: Pick<Deps, 'db' | 'clock'>,
  caller: Caller,
  password: string | undefined,
): Promise<void> {
  await requirePassword(deps, caller, password);
  if (password !== undefined || hasFactor(await readFactors(deps.db, caller.userId))) return;
  // Equal times mean that the password was not entered again after sign-in.
  if (caller.passwordAt?.getTime() === caller.signedInAt?.getTime()) throw new Refusal('PASSWORD_REQUIRED');
}

/**
 * Verifies the password in an open session and records in that session when it was entered. Refused with
 * PASSWORD_WRONG, RATE_LIMITED or OVERLOADED. The attempts are limited per session, so that a session thief cannot use
 * up the owner's attempts.
 */
export async function confirmPassword(
  deps: Pick<Deps, 'db' | 'clock'>,
  { userId, sessionHash }: Caller,
  password: string,
): Promise<void> {
  if (sessionHash === undefined) throw new Refusal('UNAUTHENTICATED');
  const guessLimit = { key: `password ${hashForLimitKey(sessionHash)}`, limit: 10, windowSeconds: 900 };
  await runWithAttemptLimits(deps, [guessLimit], async () => {
    const passwordHash = await findPasswordHash(deps.db, userId);
    if (!(await verifyPassword(passwordHash, password, accountHashQueue(userId))))
      throw new Refusal('PASSWORD_WRONG');
  });
  await recordPasswordEntered(deps.db, sessionHash, deps.clock.now());
}

type StepUpDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'secrets' | 'log'>;

/**
 * Returns the methods by which the caller can prove the second factor and, if the account has passkeys, a challenge for
 * them. Refused with FACTOR_MISSING or RATE_LIMITED.
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
  await enforceAttemptLimit(deps, { key: `step-up asked by ${userId}`, limit: 60, windowSeconds: 3600 });
  const factors = await readFactors(deps.db, userId);
  if (!hasFactor(factors)) throw new Refusal('FACTOR_MISSING');
  const methods = methodsOf(factors);
  if (factors.passkeyCount === 0) return { methods, challenge: null, options: null };
  const options = await passkeyRequestOptions(deps, await selectPasskeys(deps.db, userId));
  const challenge = await createChallenge(
    { db: deps.db, now: deps.clock.now() },
    { purpose: 'step-up', userId, sessionHash: requireSession(caller), webauthnChallenge: options.challenge },
  );
  return { methods, challenge, options };
}

/**
 * Verifies the second factor in an open session. For the next five minutes the session is not asked for the factor
 * again; the returned token proves the same when a call of this session sends it in x-step-up. Refused with
 * SECOND_FACTOR_WRONG, CHALLENGE_EXPIRED, FACTOR_MISSING or RATE_LIMITED.
 */
export async function stepUp(
  deps: StepUpDeps,
  caller: Caller,
  { challenge, ...submitted }: SubmittedFactor & { readonly challenge?: string | undefined },
): Promise<{ token: string; expires_in: number }> {
  checkSubmittedFactor(submitted);
  const { userId } = caller;
  const sessionHash = requireSession(caller);
  if (!hasFactor(await readFactors(deps.db, userId))) throw new Refusal('FACTOR_MISSING');
  const passkeyChallenge =
    submitted.code === undefined ? await openPasskeyChallenge(deps, caller, challenge) : undefined;
  // Only a code can be guessed; the signature of a passkey cannot.
  const guessLimits = submitted.code === undefined ? [] : sessionGuessLimits(sessionHash);
  return runWithAttemptLimits(deps, guessLimits, async () => {
    const expected = { userId, webauthnChallenge: passkeyChallenge?.webauthnChallenge ?? null };
    const factor = await verifyFactor(deps, expected, submitted);
    if (factor === undefined) throw wrongFactorRefusal(submitted);
    const token = newToken();
    await inTransaction(deps, async (tx) => {
      if (passkeyChallenge && !(await takeChallenge(tx, passkeyChallenge.hash)))
        throw new Refusal('CHALLENGE_EXPIRED');
      await consumeFactor(tx, userId, factor);
      await markFactorEntered(tx, sessionHash);
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

function openPasskeyChallenge(
  deps: StepUpDeps,
  caller: Caller,
  challenge: string | undefined,
): Promise<OpenChallenge> {
  if (challenge === undefined) throw new Refusal('CHALLENGE_EXPIRED');
  return openChallenge(deps, challenge, { purpose: 'step-up', sessionHash: requireSession(caller) });
}

/** Returns the session hash of a call. A call without a session is refused with UNAUTHENTICATED. */
export function requireSession({ sessionHash }: Pick<Caller, 'sessionHash'>): Buffer {
  if (sessionHash === undefined) throw new Refusal('UNAUTHENTICATED');
  return sessionHash;
}

/**
 * Records that a second factor was entered in a session. Refused with UNAUTHENTICATED if the session ended meanwhile.
 */
export async function markFactorEntered(tx: Tx, sessionHash: Buffer): Promise<void> {
  if (!(await recordFactorEntered(tx, sessionHash))) throw new Refusal('UNAUTHENTICATED');
}
