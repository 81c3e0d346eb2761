import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';
import { showChange } from '../outbox/index.ts';

/** A holder's proposal that another owner hold the account in their place. */
export type HandoverRow = {
  readonly offered_by: number;
  readonly offered_to: number;
  readonly offered_by_name: string;
  readonly offered_to_name: string;
  readonly created_at: Date;
  readonly expires_at: Date;
};

/** Finds the proposal that waits in an account. */
export function findHandover(db: Db, merchantId: number, now: Date): Promise<HandoverRow | undefined> {
  return db
    .selectFrom('account_handovers as handover')
    .innerJoin('users as holder', 'holder.id', 'handover.offered_by')
    .innerJoin('users as heir', 'heir.id', 'handover.offered_to')
    .select(['handover.offered_by', 'handover.offered_to', 'handover.created_at', 'handover.expires_at'])
    .select(['holder.name as offered_by_name', 'heir.name as offered_to_name'])
    .where('handover.merchant_id', '=', merchantId)
    .where('handover.expires_at', '>', now)
    .executeTakeFirst();
}

/** Stores a proposal, in place of an earlier one. */
export async function upsertHandover(
  tx: Tx,
  proposal: {
    readonly merchant_id: number;
    readonly offered_by: number;
    readonly offered_to: number;
    readonly expires_at: Date;
  },
): Promise<void> {
  showChange(tx, proposal.merchant_id, 'members');
  const row = { ...proposal, created_at: tx.now };
  await tx.db
    .insertInto('account_handovers')
    .values(row)
    .onConflict((conflict) => conflict.column('merchant_id').doUpdateSet(row))
    .execute();
}

export async function deleteHandover(tx: Tx, merchantId: number): Promise<void> {
  showChange(tx, merchantId, 'members');
  await tx.db.deleteFrom('account_handovers').where('merchant_id', '=', merchantId).execute();
}

/** Locks an account's row until commit. Returns since when its identity has to be looked at; undefined if it is none. */
export function lockReview(
  { db }: Tx,
  merchantId: number,
): Promise<{ identity_review_since: Date | null } | undefined> {
  return db
    .selectFrom('users')
    .select('identity_review_since')
    .where('id', '=', merchantId)
    .where('id', '>', 0)
    .forNoKeyUpdate()
    .executeTakeFirst();
}
