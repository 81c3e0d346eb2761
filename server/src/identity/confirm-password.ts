import { PASSWORD_FRESH_SECONDS } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { Refusal } from '../refusal.ts';
import { readFactors } from './factor-store.ts';
import { accountHashQueue, verifyPassword } from './password.ts';
import { hasFactor } from './second-factor.ts';
import { findPasswordHash, notePassword } from './store.ts';
import { opaqueKey, runAttempt } from './throttle.ts';

/** True if the password was given in this session so recently that it need not be entered again. */
export function isPasswordFresh({ passwordAt }: Caller, now: Date): boolean {
  return passwordAt !== undefined && now.getTime() - passwordAt.getTime() < PASSWORD_FRESH_SECONDS * 1000;
}

/** Requires the password unless it was given recently. Refused with PASSWORD_REQUIRED, or as `confirmPassword`. */
export async function requirePassword(
  deps: Pick<Deps, 'db' | 'clock'>,
  caller: Caller,
  password: string | undefined,
): Promise<void> {
  if (password !== undefined) await confirmPassword(deps, caller, password);
  else if (!isPasswordFresh(caller, deps.clock.now())) throw new Refusal('PASSWORD_REQUIRED');
}

/**
 * Like `requirePassword`, for adding a factor. For the first factor, the password given at sign-in does not count, so
 * that whoever finds a freshly opened session cannot lock its owner out.
 */
export async function requirePasswordForFactor(
  deps: Pick<Deps, 'db' | 'clock'>,
  caller: Caller,
  password: string | undefined,
): Promise<void> {
  await requirePassword(deps, caller, password);
  if (password !== undefined || hasFactor(await readFactors(deps.db, caller.userId))) return;
  if (caller.passwordAt?.getTime() === caller.signedInAt?.getTime()) throw new Refusal('PASSWORD_REQUIRED');
}

/**
 * Verifies the password again and records the time in the session. Refused with PASSWORD_WRONG, RATE_LIMITED (per
 * session, so that a session thief cannot use up the owner's attempts) or OVERLOADED.
 */
export async function confirmPassword(
  deps: Pick<Deps, 'db' | 'clock'>,
  { userId, sessionHash }: Caller,
  password: string,
): Promise<void> {
  if (sessionHash === undefined) throw new Refusal('UNAUTHENTICATED');
  const guesses = { key: `password ${opaqueKey(sessionHash)}`, limit: 10, windowSeconds: 900 };
  await runAttempt(deps, [guesses], async () => {
    const passwordHash = await findPasswordHash(deps.db, userId);
    if (!(await verifyPassword(passwordHash, password, accountHashQueue(userId))))
      throw new Refusal('PASSWORD_WRONG');
  });
  await notePassword(deps.db, sessionHash, deps.clock.now());
}
