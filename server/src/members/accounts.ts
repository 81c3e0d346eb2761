import {
  type enterAccount as enterEndpoint,
  type listAccounts as listEndpoint,
  memberRole,
  type ResponseOf,
} from '@jangada/contract';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { moveSession } from '../identity/index.ts';
import { Refusal } from '../refusal.ts';
import { findPerson, listMemberships, lockMembership, type MembershipRow } from './store.ts';

type Membership = ResponseOf<typeof enterEndpoint>['account'];

/** Lists the accounts of which the caller is a member, and the one into which the session looks for support. */
export async function listAccounts(
  { db }: Pick<Deps, 'db'>,
  { userId, accountId, supportUntil }: Caller,
): Promise<ResponseOf<typeof listEndpoint>> {
  const [memberships, lookedInto] = await Promise.all([
    listMemberships(db, userId),
    supportUntil === undefined ? undefined : findPerson(db, accountId),
  ]);
  return {
    accounts: memberships.map((row) =>
      // A session that looks into an account does not act for it as a member.
      toMembership(row, userId, supportUntil === undefined ? accountId : undefined),
    ),
    looking_into:
      lookedInto === undefined || supportUntil === undefined
        ? null
        : {
            account_id: String(accountId),
            name: lookedInto.name,
            expires_at: supportUntil.toISOString(),
          },
  };
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

export function toMembership(row: MembershipRow, userId: number, currentId: number | undefined): Membership {
  return {
    account_id: String(row.account_id),
    name: row.name,
    role: memberRole.parse(row.role),
    own: row.account_id === userId,
    holder: row.holder,
    current: row.account_id === currentId,
    frozen: row.frozen_at !== null,
  };
}
