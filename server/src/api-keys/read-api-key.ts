import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { confirmPassword, isFactorSatisfied, isPasswordFresh } from '../identity/index.ts';
import { Refusal } from '../refusal.ts';
import { findKeyOf } from './store.ts';

export type ApiKeyStatus = { hasKey: boolean; active: boolean; key: string | null; masked: string | null };

/**
 * Returns whether a key exists and is active. Includes the key itself only if the password, and the second factor if
 * there is one, were given recently.
 */
export async function readApiKeyStatus(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  caller: Caller,
  stepUp?: string,
): Promise<ApiKeyStatus> {
  const { db, clock, secrets } = deps;
  const { api_active: active, sealed_key, masked_key: masked } = await findKeyOf(db, caller.userId);
  if (sealed_key === null) return { hasKey: false, active, key: null, masked: null };
  const isProven = isPasswordFresh(caller, clock.now()) && (await isFactorSatisfied(deps, caller, stepUp));
  return { hasKey: true, active, key: isProven ? secrets.open('api-key', sealed_key) : null, masked };
}

/**
 * Reveals the key after checking the password. Refused with PASSWORD_WRONG, RATE_LIMITED, OVERLOADED, or
 * API_KEY_REQUIRED if there is no key.
 */
export async function revealApiKey(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  caller: Caller,
  password: string,
): Promise<{ key: string }> {
  await confirmPassword(deps, caller, password);
  const { sealed_key } = await findKeyOf(deps.db, caller.userId);
  if (sealed_key === null) throw new Refusal('API_KEY_REQUIRED');
  return { key: deps.secrets.open('api-key', sealed_key) };
}
