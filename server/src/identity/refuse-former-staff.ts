import { type Ability, can, role } from '@jangada/contract';
import type { Tx } from '../db/transaction.ts';
import { Refusal } from '../refusal.ts';

/**
 * Refused with FORBIDDEN when somebody of the staff lost this ability, or was frozen, after their call came in. Whoever
 * takes it from them or freezes them waits for the commit. Comes before all other rows that are locked.
 */
export async function refuseFormerStaff({ db }: Tx, userId: number, ability: Ability): Promise<void> {
  const actor = await db
    .selectFrom('users')
    .select(['role', 'frozen_at'])
    .where('id', '=', userId)
    .forShare()
    .executeTakeFirst();
  if (actor === undefined || actor.frozen_at !== null || !can(role.parse(actor.role), ability))
    throw new Refusal('FORBIDDEN');
}
