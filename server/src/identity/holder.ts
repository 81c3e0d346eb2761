import { mayDo, memberRole } from '@jangada/contract';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';
import { Refusal } from '../refusal.ts';

/** What a person is in the account with which they began, which they may have handed over. */
function findOwnMembership(db: Db | Tx['db'], userId: number) {
  return db
    .selectFrom('members')
    .select(['role', 'holder'])
    .where('merchant_id', '=', userId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** Whether a person holds the account with which they began. */
export async function holdsOwnAccount(db: Db | Tx['db'], userId: number): Promise<boolean> {
  return (await findOwnMembership(db, userId))?.holder ?? false;
}

/** Whether a person may know the money of the account with which they began. */
export async function maySeeOwnMoney(db: Db, userId: number): Promise<boolean> {
  const membership = await findOwnMembership(db, userId);
  return membership !== undefined && mayDo(memberRole.parse(membership.role), 'read-money');
}

/**
 * Refuses with NOT_HOLDER a person who handed the account over with which they began, since its name, its documents and
 * its end are not theirs to decide any more.
 */
export async function refuseFormerHolder(db: Db | Tx['db'], userId: number): Promise<void> {
  if (!(await holdsOwnAccount(db, userId))) throw new Refusal('NOT_HOLDER');
}
