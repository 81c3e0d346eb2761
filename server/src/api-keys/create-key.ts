import type { BodyOf, createScopedKey, ScopedKey } from '@jangada/contract';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { takeAttempt } from '../identity/index.ts';
import { Refusal } from '../refusal.ts';
import { readAllowedAddresses } from './allowed-addresses.ts';
import { lockKeyOwner } from './lock-key-owner.ts';
import { notifyKeyChange } from './notify-key-change.ts';
import { refuseTooManyKeys } from './refuse-too-many-keys.ts';
import { draftKey, orderScopes, readExpiry, scopedKeyOf } from './scoped-key.ts';
import { insertKey } from './scoped-store.ts';

export type ShownKey = { readonly apiKey: string; readonly key: ScopedKey };

/** Rows of expired and revoked keys are kept, so creation is limited. */
const creations = { limit: 60, windowSeconds: 3600 };

/**
 * Creates a key for one of a merchant's systems and returns it, this once. Refused with ACCOUNT_NOT_APPROVED,
 * KEY_LIMIT, KEY_ADDRESS_INVALID, KEY_EXPIRY_INVALID or RATE_LIMITED.
 */
export async function createKey(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  merchantId: number,
  wanted: BodyOf<typeof createScopedKey>,
): Promise<ShownKey> {
  const allowed_addresses = readAllowedAddresses(wanted.allowed_addresses);
  await takeAttempt(deps, { key: `api key ${merchantId}`, ...creations });
  const shown = await inTransaction(deps, async (tx) => {
    const { approved } = await lockKeyOwner(tx, merchantId);
    if (!approved) throw new Refusal('ACCOUNT_NOT_APPROVED');
    const { apiKey, row } = draftKey(
      deps,
      {
        merchant_id: merchantId,
        name: wanted.name,
        scopes: orderScopes(wanted.scopes),
        allowed_addresses,
        expires_at: readExpiry(wanted, tx.now),
      },
      tx.now,
    );
    await insertKey(tx, row);
    await refuseTooManyKeys(tx, merchantId);
    await notifyKeyChange(tx, merchantId, 'created', row);
    return { apiKey, key: scopedKeyOf(row, tx.now) };
  });
  return shown;
}
