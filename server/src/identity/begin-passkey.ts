import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { Refusal } from '../refusal.ts';
import { askChallenge } from './challenge.ts';
import { provePasswordForFactor } from './confirm-password.ts';
import { selectPasskeys } from './factor-store.ts';
import { askForNewPasskey, MOST_PASSKEYS } from './passkey.ts';
import { proveFactor } from './prove-factor.ts';
import { sessionOf } from './raise-session.ts';
import { readAccount } from './read-account.ts';
import { takeAttempt } from './throttle.ts';

/** Asks a browser for a new passkey. Refused with PASSKEY_LIMIT, RATE_LIMITED, or as `provePasswordForFactor` and `proveFactor`. */
export async function beginPasskey(
  deps: Pick<Deps, 'db' | 'clock' | 'config' | 'secrets'>,
  { caller, stepUp }: { readonly caller: Caller; readonly stepUp?: string | undefined },
  password: string | undefined,
): Promise<{ challenge: string; options: Record<string, unknown> }> {
  await provePasswordForFactor(deps, caller, password);
  await proveFactor(deps, caller, stepUp);
  const { userId } = caller;
  await takeAttempt(deps, { key: `passkey asked by ${userId}`, limit: 60, windowSeconds: 3600 });
  const known = await selectPasskeys(deps.db, userId);
  if (known.length >= MOST_PASSKEYS) throw new Refusal('PASSKEY_LIMIT');
  const { username } = await readAccount(deps, userId);
  const options = await askForNewPasskey(deps, { userId, username }, known);
  const asked = {
    purpose: 'passkey-registration',
    userId,
    sessionHash: sessionOf(caller),
    webauthnChallenge: options.challenge,
  } as const;
  return { challenge: await askChallenge({ db: deps.db, now: deps.clock.now() }, asked), options };
}
