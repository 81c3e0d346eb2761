import type { Tx } from '../db/transaction.ts';
import { Refusal } from '../refusal.ts';
import { lockAccountShared } from './factor-store.ts';

/**
 * Lets somebody in who showed whose they are, unless the account is frozen, or the password that they gave was replaced
 * meanwhile: who does either ends the sessions that are there, and must not miss this one.
 * Refused with ACCOUNT_FROZEN or INVALID_CREDENTIALS.
 */
export async function assertMaySignIn(tx: Tx, userId: number, givenPasswordHash?: string): Promise<void> {
  const account = await lockAccountShared(tx, userId);
  if (givenPasswordHash !== undefined && account.password_hash !== givenPasswordHash)
    throw new Refusal('INVALID_CREDENTIALS');
  if (account.frozen_at !== null) throw new Refusal('ACCOUNT_FROZEN');
}
