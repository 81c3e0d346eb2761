import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';
import { showChange } from '../outbox/index.ts';
import type { MemberTerms } from './store.ts';

export type InvitationRow = MemberTerms & {
  readonly merchant_id: number;
  /** The id of its link, too. */
  readonly id: string;
  readonly email: string;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly inviter_id: number;
  readonly inviter: string;
};

function selectInvitations(db: Db, now: Date) {
  return db
    .selectFrom('member_invitations as invitation')
    .innerJoin('users as inviter', 'inviter.id', 'invitation.invited_by')
    .select(['invitation.merchant_id', 'invitation.id', 'invitation.email', 'invitation.role'])
    .select(['invitation.refund_limit_cents', 'invitation.withdrawal_limit_cents'])
    .select([
      'invitation.created_at',
      'invitation.expires_at',
      'inviter.id as inviter_id',
      'inviter.name as inviter',
    ])
    .where('invitation.expires_at', '>', now);
}

/** Lists an account's invitations that have not expired, newest first. */
export function listInvitations(db: Db, merchantId: number, now: Date): Promise<InvitationRow[]> {
  return selectInvitations(db, now)
    .where('invitation.merchant_id', '=', merchantId)
    .orderBy('invitation.created_at', 'desc')
    .orderBy('invitation.id')
    .execute();
}

export function findInvitation(
  db: Db,
  merchantId: number,
  id: string,
  now: Date,
): Promise<InvitationRow | undefined> {
  return selectInvitations(db, now)
    .where('invitation.merchant_id', '=', merchantId)
    .where('invitation.id', '=', id)
    .executeTakeFirst();
}

export async function insertInvitation(
  tx: Tx,
  invitation: MemberTerms & {
    readonly merchant_id: number;
    readonly id: string;
    readonly email: string;
    readonly invited_by: number;
    readonly expires_at: Date;
  },
): Promise<void> {
  showChange(tx, invitation.merchant_id, 'members');
  await tx.db
    .insertInto('member_invitations')
    .values({ ...invitation, created_at: tx.now })
    .execute();
}

/** Deletes an invitation; it may have expired. Returns its address, or undefined if there is none. */
export async function deleteInvitation(
  tx: Tx,
  merchantId: number,
  id: string,
): Promise<{ email: string } | undefined> {
  showChange(tx, merchantId, 'members');
  return tx.db
    .deleteFrom('member_invitations')
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .returning('email')
    .executeTakeFirst();
}

/** Deletes an account's invitations to an address, and those that have expired. Returns their ids. */
export async function deleteInvitationsTo(
  { db, now }: Tx,
  merchantId: number,
  email: string,
): Promise<string[]> {
  const rows = await db
    .deleteFrom('member_invitations')
    .where('merchant_id', '=', merchantId)
    .where(({ or, eb }) => or([eb('email', '=', email), eb('expires_at', '<=', now)]))
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Deletes the invitations of all accounts that have expired. */
export async function deleteExpiredInvitations(db: Db, expiredBy: Date): Promise<void> {
  await db.deleteFrom('member_invitations').where('expires_at', '<=', expiredBy).execute();
}

/** Deletes the invitations that a person sent for an account. Returns their ids. */
export async function deleteInvitationsBy(tx: Tx, merchantId: number, inviterId: number): Promise<string[]> {
  showChange(tx, merchantId, 'members');
  const rows = await tx.db
    .deleteFrom('member_invitations')
    .where('merchant_id', '=', merchantId)
    .where('invited_by', '=', inviterId)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Counts an account's members and invitations together. */
export async function countMembersAndInvitations({ db }: Tx, merchantId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from members where merchant_id = ${merchantId})
         + (select count(*) from member_invitations where merchant_id = ${merchantId}) as count
  `.execute(db);
  return rows[0]?.count ?? 0;
}
