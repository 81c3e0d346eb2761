import type { Tx } from '../db/transaction.ts';
import { Refusal } from '../refusal.ts';
import { lockAccountShared } from './factor-store.ts';

/**
 * Checks, once the credentials are proven, that the account is not frozen and that the password used was not replaced
 * meanwhile. Locks the account row: freezing and replacing a password end the existing sessions and must not miss this
 * one. Refused with ACCOUNT_FROZEN or INVALID_CREDENTIALS.
 */
export async function assertMaySignIn(tx: Tx, userId: number, givenPasswordHash?: string): Promise<void> {
  const account = await lockAccountShared(tx, userId);
  if (givenPasswordHash !== undefined && account.password_hash !== givenPasswordHash)
    throw new Refusal('INVALID_CREDENTIALS');
  if (account.frozen_at !== null) throw new Refusal('ACCOUNT_FROZEN');
}
