import { type enterAccount as enterEndpoint, memberRole, type ResponseOf } from '@jangada/contract';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { moveSession } from '../identity/index.ts';
import { Refusal } from '../refusal.ts';
import { listMemberships, lockMembership, type MembershipRow } from './store.ts';

type Membership = ResponseOf<typeof enterEndpoint>['account'];

/** Lists the accounts of which the caller is a member. */
export async function listAccounts(
  { db }: Pick<Deps, 'db'>,
  { userId, accountId }: Caller,
): Promise<Membership[]> {
  const memberships = await listMemberships(db, userId);
  return memberships.map((row) => toMembership(row, userId, accountId));
}

/**
 * Lets the caller's session act for another account. Its open screens are asked to reconnect, because they show the
 * account before. Refused with MEMBERSHIP_NOT_FOUND or ACCOUNT_FROZEN.
 */
export async function enterAccount(
  deps: Pick<Deps, 'db' | 'clock'>,
  { userId, sessionHash }: Caller,
  requestedId: string,
): Promise<Membership> {
  if (sessionHash === undefined) throw new Refusal('UNAUTHENTICATED');
  const accountId = parseMembershipId(requestedId);
  const membership = await inTransaction(deps, async (tx) => {
    const found = await lockMembership(tx, userId, accountId);
    if (found === undefined) throw new Refusal('MEMBERSHIP_NOT_FOUND');
    if (found.frozen_at !== null) throw new Refusal('ACCOUNT_FROZEN');
    if (!(await moveSession(tx, sessionHash, accountId))) throw new Refusal('UNAUTHENTICATED');
    return found;
  });
  return toMembership(membership, userId, accountId);
}

/** Refuses text that is no number of an account with MEMBERSHIP_NOT_FOUND. */
export function parseMembershipId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new Refusal('MEMBERSHIP_NOT_FOUND');
  return Number(text);
}

export function toMembership(row: MembershipRow, userId: number, currentId: number): Membership {
  return {
    account_id: String(row.account_id),
    name: row.name,
    role: memberRole.parse(row.role),
    own: row.account_id === userId,
    current: row.account_id === currentId,
    frozen: row.frozen_at !== null,
  };
}
