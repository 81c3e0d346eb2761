import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { Refusal } from '../refusal.ts';
import { isPasswordFresh } from './confirm-password.ts';
import { isSteppedUp, readFactors } from './factor-store.ts';
import { hasFactor, methodsOf } from './second-factor.ts';
import { FACTOR_FRESH_MS, hashToken } from './session.ts';

type FactorDeps = Pick<Deps, 'db' | 'clock'>;

/**
 * Requires the second factor of an account that has one, unless it was given recently in this session or the call's
 * `stepUp` token proves it. Refused with STEP_UP_REQUIRED, whose details list the available methods.
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
 * Like `requireFactor`, for actions where an open session alone would give access to money: an account without a factor
 * needs a recent password, and `details.methods` then lists `password`. Calls by API key pass: scopes limit them.
 */
export async function requireOwner(
  deps: FactorDeps,
  caller: Caller,
  stepUp: string | undefined,
): Promise<void> {
  if (caller.by === 'apiKey') return;
  await requireFactor(deps, caller, stepUp);
  if (isPasswordFresh(caller, deps.clock.now())) return;
  if (!hasFactor(await readFactors(deps.db, caller.userId)))
    throw new Refusal('STEP_UP_REQUIRED', {
      message: 'Confirme com a sua senha para continuar.',
      details: { methods: ['password'] },
    });
}

/** Returns whether `requireFactor` would pass, for callers that only omit data otherwise. */
export async function isFactorSatisfied(
  { db, clock }: FactorDeps,
  { userId, sessionHash, factorAt }: Caller,
  stepUp: string | undefined,
): Promise<boolean> {
  const now = clock.now();
  if (factorAt !== undefined && now.getTime() - factorAt.getTime() < FACTOR_FRESH_MS) return true;
  if (!hasFactor(await readFactors(db, userId))) return true;
  if (stepUp === undefined || sessionHash === undefined) return false;
  return isSteppedUp(db, hashToken(stepUp), sessionHash, now);
}
