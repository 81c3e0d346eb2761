import { PASSWORD_FRESH_SECONDS } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { Refusal } from '../refusal.ts';
import { readFactors } from './factor-store.ts';
import { accountHashQueue, verifyPassword } from './password.ts';
import { hasFactor } from './second-factor.ts';
import { findPasswordHash, notePassword } from './store.ts';
import { opaqueKey, runAttempt } from './throttle.ts';

/** Whether the password was given in this session so lately that it need not be asked again. */
export function isPasswordFresh({ passwordAt }: Caller, now: Date): boolean {
  return passwordAt !== undefined && now.getTime() - passwordAt.getTime() < PASSWORD_FRESH_SECONDS * 1000;
}

/** Demands the password unless it was given a moment ago. Refused with PASSWORD_REQUIRED, or as `confirmPassword`. */
export async function requirePassword(
  deps: Pick<Deps, 'db' | 'clock'>,
  caller: Caller,
  password: string | undefined,
): Promise<void> {
  if (password !== undefined) await confirmPassword(deps, caller, password);
  else if (!isPasswordFresh(caller, deps.clock.now())) throw new Refusal('PASSWORD_REQUIRED');
}

/**
 * The same before a factor is added: the first one of an account takes a password that was given after the sign-in, for
 * whoever found a session just opened is not to lock its owner out.
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
 * Takes the password again and remembers that it was given. Refused with PASSWORD_WRONG, RATE_LIMITED (counted per
 * session, so that one thief of a session does not use up its owner's guesses) or OVERLOADED.
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
