import type { BodyOf, ScopedKey, updateScopedKey } from '@jangada/contract';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../refusal.ts';
import { readAllowedAddresses } from './allowed-addresses.ts';
import { lockKeyOwner } from './lock-key-owner.ts';
import { notifyKeyChange } from './notify-key-change.ts';
import { refuseTooManyKeys } from './refuse-too-many-keys.ts';
import { isExpired, orderScopes, readExpiry, type ScopedKeyRow, scopedKeyOf } from './scoped-key.ts';
import { findKey, updateKey } from './scoped-store.ts';

/**
 * Changes a key's name, scopes, allowed addresses or expiry; takes effect with its next call. An expired key may be
 * extended. Refused with KEY_NOT_FOUND, KEY_REPLACED, KEY_LIMIT, KEY_ADDRESS_INVALID or KEY_EXPIRY_INVALID.
 */
export async function changeKey(
  deps: Pick<Deps, 'db' | 'clock'>,
  merchantId: number,
  { id, wanted }: { readonly id: string; readonly wanted: BodyOf<typeof updateScopedKey> },
): Promise<ScopedKey> {
  const allowed_addresses = readAllowedAddresses(wanted.allowed_addresses);
  const changed = await inTransaction(deps, async (tx) => {
    await lockKeyOwner(tx, merchantId);
    const before = await findKey(tx, merchantId, id);
    if (before === undefined) throw new Refusal('KEY_NOT_FOUND');
    if (before.successor !== null) throw new Refusal('KEY_REPLACED');
    const expires_at = readExpiry(wanted, tx.now);
    const change = { name: wanted.name, scopes: orderScopes(wanted.scopes), allowed_addresses, expires_at };
    const endsElsewhen = before.expires_at?.getTime() !== expires_at?.getTime();
    await updateKey(tx, merchantId, id, {
      ...change,
      ...(endsElsewhen && { expiry_set_at: tx.now, expiry_told_at: null }),
    });
    if (isExpired(before, tx.now)) await refuseTooManyKeys(tx, merchantId);
    const after = { ...before, ...change };
    if (endsElsewhen || mayOf(after) !== mayOf(before))
      await notifyKeyChange(tx, merchantId, 'changed', after);
    return scopedKeyOf(after, tx.now);
  });
  return changed;
}

function mayOf({ scopes, allowed_addresses }: ScopedKeyRow): string {
  return JSON.stringify([scopes, allowed_addresses]);
}
