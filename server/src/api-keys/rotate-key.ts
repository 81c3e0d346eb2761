import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { takeAttempt } from '../identity/index.ts';
import { Refusal } from '../refusal.ts';
import type { ShownKey } from './create-key.ts';
import { lockKeyOwner } from './lock-key-owner.ts';
import { notifyKeyChange } from './notify-key-change.ts';
import { refuseTooManyKeys } from './refuse-too-many-keys.ts';
import { draftKey, type ScopedKeyRow, scopedKeyOf } from './scoped-key.ts';
import { findKey, insertKey, updateKey } from './scoped-store.ts';

const hourMs = 3_600_000;
const rotations = { limit: 60, windowSeconds: 3600 };

/**
 * Creates a key with the permissions and lifetime of an existing one and returns it, this once. The old key keeps
 * working for `overlapHours`, unless it expires earlier. Refused with ACCOUNT_NOT_APPROVED, KEY_NOT_FOUND,
 * KEY_REPLACED, KEY_LIMIT or RATE_LIMITED.
 */
export async function rotateKey(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  merchantId: number,
  { id, overlapHours }: { readonly id: string; readonly overlapHours: number },
): Promise<ShownKey> {
  await takeAttempt(deps, { key: `api key rotation ${merchantId}`, ...rotations });
  const shown = await inTransaction(deps, async (tx) => {
    const { approved } = await lockKeyOwner(tx, merchantId);
    if (!approved) throw new Refusal('ACCOUNT_NOT_APPROVED');
    const old = await findKey(tx, merchantId, id);
    if (old === undefined) throw new Refusal('KEY_NOT_FOUND');
    if (old.successor !== null) throw new Refusal('KEY_REPLACED');
    const { name, scopes, allowed_addresses } = old;
    const likeOld = { name, scopes, allowed_addresses, expires_at: expiryAnew(old, tx.now) };
    const { apiKey, row } = draftKey(deps, { merchant_id: merchantId, ...likeOld }, tx.now);
    await insertKey(tx, row);
    const overlapEnds = new Date(tx.now.getTime() + overlapHours * hourMs);
    const endsBefore = old.expires_at !== null && old.expires_at < overlapEnds;
    await updateKey(tx, merchantId, id, {
      successor: row.id,
      ...(!endsBefore && { expires_at: overlapEnds }),
    });
    await refuseTooManyKeys(tx, merchantId);
    await notifyKeyChange(tx, merchantId, 'rotated', row);
    return { apiKey, key: scopedKeyOf(row, tx.now) };
  });
  return shown;
}

function expiryAnew({ created_at, expiry_set_at, expires_at }: ScopedKeyRow, now: Date): Date | null {
  if (expires_at === null) return null;
  const began = expiry_set_at ?? created_at;
  return new Date(now.getTime() + expires_at.getTime() - began.getTime());
}
