import type { AuditAction } from '@jangada/contract';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';
import { showChange } from '../outbox/index.ts';

export type SupportAccessRow = {
  readonly allowed_by: number;
  readonly allowed_by_name: string;
  readonly allowed_at: Date;
  readonly expires_at: Date;
};

/** Finds out whether support may look into an account now. */
export function findSupportAccess(
  db: Db | Tx['db'],
  merchantId: number,
  now: Date,
): Promise<SupportAccessRow | undefined> {
  return db
    .selectFrom('support_access as access')
    .innerJoin('users as owner', 'owner.id', 'access.allowed_by')
    .select(['access.allowed_by', 'owner.name as allowed_by_name', 'access.allowed_at', 'access.expires_at'])
    .where('access.merchant_id', '=', merchantId)
    .where('access.expires_at', '>', now)
    .executeTakeFirst();
}

/** The same, locking it until commit, so that it is not revoked meanwhile. */
export function lockSupportAccess(
  { db, now }: Tx,
  merchantId: number,
): Promise<{ expires_at: Date } | undefined> {
  return db
    .selectFrom('support_access')
    .select('expires_at')
    .where('merchant_id', '=', merchantId)
    .where('expires_at', '>', now)
    .forShare()
    .executeTakeFirst();
}

/** Stores for how long support may look in, in place of what was said before. */
export async function upsertSupportAccess(
  tx: Tx,
  access: { readonly merchant_id: number; readonly allowed_by: number; readonly expires_at: Date },
): Promise<void> {
  showChange(tx, access.merchant_id, 'members');
  const row = { ...access, allowed_at: tx.now };
  await tx.db
    .insertInto('support_access')
    .values(row)
    .onConflict((conflict) => conflict.column('merchant_id').doUpdateSet(row))
    .execute();
}

/** Deletes the permission to look in. Returns whether there was one. */
export async function deleteSupportAccess(tx: Tx, merchantId: number): Promise<boolean> {
  showChange(tx, merchantId, 'members');
  const { numDeletedRows } = await tx.db
    .deleteFrom('support_access')
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function deleteExpiredSupportAccess(db: Db, expiredBy: Date): Promise<void> {
  await db.deleteFrom('support_access').where('expires_at', '<=', expiredBy).execute();
}

/** Lists when support looked into an account, newest first. */
export function listVisits(
  db: Db,
  merchantId: number,
  limit: number,
): Promise<{ at: Date; actor_id: number; actor_name: string; reason: string | null }[]> {
  const action: AuditAction = 'support looked in';
  return db
    .selectFrom('audit_log as entry')
    .innerJoin('users as actor', 'actor.id', 'entry.actor_id')
    .select(['entry.at', 'entry.actor_id', 'actor.name as actor_name', 'entry.reason'])
    .where('entry.subject_id', '=', merchantId)
    .where('entry.action', '=', action)
    .orderBy('entry.id', 'desc')
    .limit(limit)
    .execute();
}

/** The name of an account that is not frozen; undefined if there is none. */
export async function findAccountToLookInto(
  { db }: Tx,
  merchantId: number,
): Promise<{ name: string; frozen_at: Date | null } | undefined> {
  return db
    .selectFrom('users')
    .select(['name', 'frozen_at'])
    .where('id', '=', merchantId)
    .where('id', '>', 0)
    .executeTakeFirst();
}
