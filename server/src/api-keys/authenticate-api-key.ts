import { role, scopes } from '@jangada/contract';
import { formatMomentForSentence } from '../calendar-day.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { Refusal } from '../refusal.ts';
import { isAddressAllowed } from './allowed-addresses.ts';
import { isApiKey } from './api-key.ts';
import { isExpired, orderScopes } from './scoped-key.ts';
import { touchScopedKey } from './scoped-key-store.ts';
import { findKeyHolder, type KeyHolder, touchReadableKey } from './store.ts';

type AuthDeps = Pick<Deps, 'db' | 'clock' | 'secrets'>;

/** The time of a key's last use is stored at most this often, so that not every call writes to the database. */
const USE_RECORD_INTERVAL_MS = 60_000;

/**
 * Returns the caller behind an API key used from an address. Refused with INVALID_API_KEY, KEY_ADDRESS_NOT_ALLOWED,
 * ACCOUNT_FROZEN or API_KEY_EXPIRED. Whether the account is approved and its keys are active is left to each operation,
 * because viewing a payment requires neither.
 */
export async function authenticateApiKey(deps: AuthDeps, key: string, address: string): Promise<Caller> {
  if (!isApiKey(key)) throw new Refusal('INVALID_API_KEY');
  const keyHash = deps.secrets.hash('api-key', key);
  const holder = await findKeyHolder(deps.db, keyHash);
  if (holder === undefined) throw new Refusal('INVALID_API_KEY');
  refuseUnusableKey(holder, address, deps.clock.now());
  await recordUse(deps, { keyHash, holder, address });
  return {
    userId: holder.id,
    accountId: holder.id,
    memberRole: 'owner',
    isHolder: true,
    isAccountFrozen: holder.frozen,
    role: role.parse(holder.role),
    approved: holder.approved,
    authMethod: 'apiKey',
    key: { id: holder.key_id, scopes: holder.scopes === null ? scopes : orderScopes(holder.scopes) },
  };
}

/**
 * Refuses a key that may not be used. Checks the address first, so that somebody who uses a stolen key from elsewhere
 * learns nothing about the account.
 */
function refuseUnusableKey(holder: KeyHolder, address: string, now: Date): void {
  if (!isAddressAllowed(holder.allowed_addresses ?? [], address))
    throw new Refusal('KEY_ADDRESS_NOT_ALLOWED', {
      message: `Esta chave de API não pode ser usada a partir do endereço ${address}.`,
      details: { address },
    });
  if (holder.frozen) throw new Refusal('ACCOUNT_FROZEN');
  if (holder.expires_at === null || !isExpired(holder, now)) return;
  const moment = formatMomentForSentence(holder.expires_at);
  throw new Refusal('API_KEY_EXPIRED', {
    message: holder.replaced
      ? `Esta chave de API foi trocada por outra e deixou de valer em ${moment}. Use a nova.`
      : `Esta chave de API venceu em ${moment}. Crie outra, ou troque esta, na página Chaves de API.`,
    details: { expired_at: holder.expires_at.toISOString() },
  });
}

async function recordUse(
  { db, clock }: AuthDeps,
  { keyHash, holder, address }: { keyHash: Buffer; holder: KeyHolder; address: string },
): Promise<void> {
  const now = clock.now();
  const recordCutoff = new Date(now.getTime() - USE_RECORD_INTERVAL_MS);
  if (holder.last_used_at !== null && holder.last_used_at > recordCutoff) return;
  if (holder.key_id === null) return touchReadableKey(db, keyHash, now, recordCutoff);
  // A proxy may report an address that is invalid and of any length.
  const storedAddress = address.slice(0, 64);
  await touchScopedKey(
    db,
    { merchantId: holder.id, id: holder.key_id },
    { now, recordCutoff, address: storedAddress },
  );
}
