import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { Refusal } from '../refusal.ts';
import { isPasswordFresh } from './confirm-password.ts';
import { isSteppedUp, readFactors } from './factor-store.ts';
import { hasFactor, methodsOf } from './second-factor.ts';
import { FACTOR_FRESH_MS, hashToken } from './session.ts';

type FactorDeps = Pick<Deps, 'db' | 'clock'>;

/**
 * Demands the second factor of an account that has one, unless it was given in this session a moment ago or `stepUp` (of
 * the call) shows that it was. Refused with STEP_UP_REQUIRED, whose details name the ways to give it.
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
 * The same where an open session alone opens a way for money: of an account without a factor it demands the password,
 * unless it was given a moment ago; `details.methods` names it then. A call by API key is held to the key's scopes instead.
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

/** Whether `requireFactor` would let the call pass: for what is only left out otherwise. */
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
