import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { confirmPassword, isPasswordFresh } from '../identity/index.ts';
import { Refusal } from '../refusal.ts';
import { findKeyOf } from './store.ts';

export type ApiKeyStatus = { hasKey: boolean; active: boolean; key: string | null; masked: string | null };

/** Whether there is a key and whether it works; the key itself only to who gave the password a moment ago. */
export async function readApiKeyStatus(
  { db, clock, secrets }: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  caller: Caller,
): Promise<ApiKeyStatus> {
  const { api_active: active, sealed_key, masked_key: masked } = await findKeyOf(db, caller.userId);
  if (sealed_key === null) return { hasKey: false, active, key: null, masked: null };
  const key = isPasswordFresh(caller, clock.now()) ? secrets.open('api-key', sealed_key) : null;
  return { hasKey: true, active, key, masked };
}

/** The key, for the password. Refused with PASSWORD_WRONG, RATE_LIMITED, OVERLOADED, or API_KEY_REQUIRED without one. */
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
