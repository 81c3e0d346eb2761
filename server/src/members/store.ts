import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';

/** An account of which a person is a member. */
export type MembershipRow = {
  readonly account_id: number;
  readonly name: string;
  readonly role: string;
  readonly frozen_at: Date | null;
};

function selectMemberships(db: Db, userId: number) {
  return db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.merchant_id')
    .select(['users.id as account_id', 'users.name', 'members.role', 'users.frozen_at'])
    .where('members.user_id', '=', userId);
}

/** Lists the accounts of which a person is a member, their own one first. */
export function listMemberships(db: Db, userId: number): Promise<MembershipRow[]> {
  return selectMemberships(db, userId)
    .orderBy(({ eb }) => eb('users.id', '=', userId), 'desc')
    .orderBy('members.added_at')
    .orderBy('users.id')
    .execute();
}

/** Finds a membership and locks it, so that the member is not removed before the commit. */
export function lockMembership(
  { db }: Tx,
  userId: number,
  accountId: number,
): Promise<MembershipRow | undefined> {
  return selectMemberships(db, userId)
    .where('members.merchant_id', '=', accountId)
    .forShare('members')
    .executeTakeFirst();
}
