import { type Ability, can, role } from '@jangada/contract';
import type { Tx } from '../db/transaction.ts';
import { Refusal } from '../refusal.ts';

/**
 * Refused with FORBIDDEN when a staff member lost this ability or was frozen after the call arrived. Locks their row,
 * so that either change waits for the commit. Call it before locking any other row.
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
