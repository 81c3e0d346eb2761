import { role, scopes } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { Refusal } from '../refusal.ts';
import { isApiKey } from './api-key.ts';
import { findKeyHolder, touchApiKey } from './store.ts';

/** A key's last use is noted at most this often. */
const USED_MS = 60_000;

/**
 * Who holds an API key. Refused with INVALID_API_KEY when nobody does, and with ACCOUNT_FROZEN. Whether the account is
 * approved and its key active is for the operation to ask: looking at a payment needs neither.
 */
export async function authenticateApiKey(
  { db, clock, secrets }: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  key: string,
): Promise<Caller> {
  if (!isApiKey(key)) throw new Refusal('INVALID_API_KEY');
  const keyHash = secrets.hash('api-key', key);
  const holder = await findKeyHolder(db, keyHash);
  if (holder === undefined) throw new Refusal('INVALID_API_KEY');
  if (holder.frozen) throw new Refusal('ACCOUNT_FROZEN');
  const now = clock.now();
  const usedBefore = new Date(now.getTime() - USED_MS);
  if (holder.last_used_at === null || holder.last_used_at <= usedBefore)
    await touchApiKey(db, keyHash, now, usedBefore);
  return {
    userId: holder.id,
    role: role.parse(holder.role),
    approved: holder.approved,
    by: 'apiKey',
    key: { id: null, scopes },
  };
}
