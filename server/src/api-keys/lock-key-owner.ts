import type { Tx } from '../db/transaction.ts';
import { Refusal } from '../refusal.ts';
import { lockHolder } from './scoped-store.ts';

/**
 * Locks the account until commit, so that changes to its keys run one after another. Refused with ACCOUNT_FROZEN if it
 * was frozen after the call arrived.
 */
export async function lockKeyOwner(tx: Tx, merchantId: number): Promise<{ readonly approved: boolean }> {
  const { approved, frozen_at } = await lockHolder(tx, merchantId);
  if (frozen_at !== null) throw new Refusal('ACCOUNT_FROZEN');
  return { approved };
}
