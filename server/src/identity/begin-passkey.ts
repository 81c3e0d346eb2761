import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { Refusal } from '../refusal.ts';
import { createChallenge } from './challenge.ts';
import { requirePasswordForFactor } from './confirm-password.ts';
import { requireSession } from './elevate-session.ts';
import { selectPasskeys } from './factor-store.ts';
import { MOST_PASSKEYS, passkeyRegistrationOptions } from './passkey.ts';
import { readAccount } from './read-account.ts';
import { requireFactor } from './require-factor.ts';
import { takeAttempt } from './throttle.ts';

/**
 * Starts the registration of a passkey. Refused with PASSKEY_LIMIT, RATE_LIMITED, or as `requirePasswordForFactor` and
 * `requireFactor`.
 */
export async function beginPasskey(
  deps: Pick<Deps, 'db' | 'clock' | 'config' | 'secrets'>,
  { caller, stepUp }: { readonly caller: Caller; readonly stepUp?: string | undefined },
  password: string | undefined,
): Promise<{ challenge: string; options: Record<string, unknown> }> {
  await requirePasswordForFactor(deps, caller, password);
  await requireFactor(deps, caller, stepUp);
  const { userId } = caller;
  await takeAttempt(deps, { key: `passkey asked by ${userId}`, limit: 60, windowSeconds: 3600 });
  const known = await selectPasskeys(deps.db, userId);
  if (known.length >= MOST_PASSKEYS) throw new Refusal('PASSKEY_LIMIT');
  const { username } = await readAccount(deps, userId);
  const options = await passkeyRegistrationOptions(deps, { userId, username }, known);
  const asked = {
    purpose: 'passkey-registration',
    userId,
    sessionHash: requireSession(caller),
    webauthnChallenge: options.challenge,
  } as const;
  return { challenge: await createChallenge({ db: deps.db, now: deps.clock.now() }, asked), options };
}
