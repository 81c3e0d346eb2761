import type { Tx } from '../db/transaction.ts';
import { Refusal } from '../refusal.ts';
import { lockHolder } from './scoped-store.ts';

/**
 * Holds the account whose keys are made and changed, one after another, until the commit. Refused with ACCOUNT_FROZEN
 * when it was frozen after the call came in.
 */
export async function lockKeyOwner(tx: Tx, merchantId: number): Promise<{ readonly approved: boolean }> {
  const { approved, frozen_at } = await lockHolder(tx, merchantId);
  if (frozen_at !== null) throw new Refusal('ACCOUNT_FROZEN');
  return { approved };
}
