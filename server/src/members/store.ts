import type { MemberRole } from '@jangada/contract';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';
import { showChange } from '../outbox/index.ts';

/** An account of which a person is a member. */
export type MembershipRow = {
  readonly account_id: number;
  readonly name: string;
  readonly role: string;
  readonly holder: boolean;
  readonly frozen_at: Date | null;
};

function selectMemberships(db: Db, userId: number) {
  return db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.merchant_id')
    .select(['users.id as account_id', 'users.name', 'members.role', 'members.holder', 'users.frozen_at'])
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

/** The role of a member, and what they may move in one calendar day at most; null: no limit of their own. */
export type MemberTerms = {
  readonly role: string;
  readonly refund_limit_cents: number | null;
  readonly withdrawal_limit_cents: number | null;
};

export type MemberRow = MemberTerms & {
  readonly merchant_id: number;
  readonly user_id: number;
  readonly name: string;
  readonly email: string;
  readonly added_at: Date;
  /** Whether this person holds the account. */
  readonly holder: boolean;
};

function selectMembers(db: Db, merchantId: number) {
  return db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['members.merchant_id', 'members.user_id', 'members.role', 'members.added_at', 'members.holder'])
    .select(['members.refund_limit_cents', 'members.withdrawal_limit_cents', 'users.name', 'users.email'])
    .where('members.merchant_id', '=', merchantId);
}

/** Lists the members of an account: first who holds it, then as they came. */
export function listMembers(db: Db, merchantId: number): Promise<MemberRow[]> {
  return selectMembers(db, merchantId)
    .orderBy('members.holder', 'desc')
    .orderBy('members.added_at')
    .orderBy('members.user_id')
    .execute();
}

export function findMember(db: Db, merchantId: number, userId: number): Promise<MemberRow | undefined> {
  return selectMembers(db, merchantId).where('members.user_id', '=', userId).executeTakeFirst();
}

/**
 * Locks an account's row until commit, so that changes of its members run one after the other. Must be called before any
 * of its members is locked.
 */
export function lockAccountOfMembers(
  { db }: Tx,
  merchantId: number,
): Promise<{ name: string; approved: boolean; frozen_at: Date | null }> {
  return db
    .selectFrom('users')
    .select(['name', 'approved', 'frozen_at'])
    .where('id', '=', merchantId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

export async function insertMember(
  tx: Tx,
  member: MemberTerms & { readonly merchant_id: number; readonly user_id: number; readonly added_by: number },
): Promise<void> {
  showChange(tx, member.merchant_id, 'members');
  await tx.db
    .insertInto('members')
    .values({ ...member, added_at: tx.now })
    .execute();
}

export async function updateMember(
  tx: Tx,
  merchantId: number,
  userId: number,
  terms: MemberTerms,
): Promise<void> {
  showChange(tx, merchantId, 'members');
  await tx.db
    .updateTable('members')
    .set(terms)
    .where('merchant_id', '=', merchantId)
    .where('user_id', '=', userId)
    .execute();
}

export async function deleteMember(tx: Tx, merchantId: number, userId: number): Promise<void> {
  showChange(tx, merchantId, 'members');
  await tx.db
    .deleteFrom('members')
    .where('merchant_id', '=', merchantId)
    .where('user_id', '=', userId)
    .execute();
}

/**
 * Finds what a member may do and locks it until commit: the member is neither removed nor changed meanwhile, and their
 * refunds and withdrawals run one after the other.
 */
export function lockMemberTerms(
  { db }: Tx,
  merchantId: number,
  userId: number,
): Promise<MemberTerms | undefined> {
  return db
    .selectFrom('members')
    .select(['role', 'refund_limit_cents', 'withdrawal_limit_cents'])
    .where('merchant_id', '=', merchantId)
    .where('user_id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Makes another member the holder of an account. */
export async function updateHolder(
  tx: Tx,
  merchantId: number,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  showChange(tx, merchantId, 'members');
  // One after the other, because an account has one holder at a time.
  for (const [userId, holder] of [
    [from, false],
    [to, true],
  ] as const)
    await tx.db
      .updateTable('members')
      .set({ holder })
      .where('merchant_id', '=', merchantId)
      .where('user_id', '=', userId)
      .execute();
}

/** The owners of an account who are to be told what happens in it. */
export async function findOwnerIds({ db }: Tx, merchantId: number): Promise<number[]> {
  const role: MemberRole = 'owner';
  const rows = await db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select('users.id')
    .where('members.merchant_id', '=', merchantId)
    .where('members.role', '=', role)
    .orderBy('users.id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns the name and e-mail of a person who may act, or undefined if they are frozen. */
export function findPerson(db: Db, userId: number): Promise<{ name: string; email: string } | undefined> {
  return db
    .selectFrom('users')
    .select(['name', 'email'])
    .where('id', '=', userId)
    .where('frozen_at', 'is', null)
    .executeTakeFirst();
}
