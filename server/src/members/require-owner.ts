import type { Tx } from '../db/transaction.ts';
import type { Caller } from '../http/route.ts';
import { Refusal } from '../refusal.ts';
import { lockAccountOfMembers, lockMembership } from './store.ts';

/**
 * Locks an account for a change of its members. Refused with MEMBER_ROLE_MISSING if the caller ceased to be an owner
 * after the call arrived, and with ACCOUNT_FROZEN.
 */
export async function lockAsOwner(
  tx: Tx,
  { accountId, userId }: Pick<Caller, 'accountId' | 'userId'>,
): Promise<{ readonly name: string; readonly approved: boolean }> {
  const account = await lockAccountOfMembers(tx, accountId);
  if (account.frozen_at !== null) throw new Refusal('ACCOUNT_FROZEN');
  const membership = await lockMembership(tx, userId, accountId);
  if (membership?.role !== 'owner') throw new Refusal('MEMBER_ROLE_MISSING');
  return account;
}
