import type { Tx } from '../db/transaction.ts';
import { Refusal } from '../refusal.ts';

/**
 * Keeps administrators away from their own money: refused with OWN_ACCOUNT on their own account and on one whose
 * administrator role comes from the same person. An account that somebody promoted is not an independent reviewer.
 */
export async function refuseOwnAccount(tx: Tx, actorId: number, userId: number): Promise<void> {
  if (actorId === userId) throw new Refusal('OWN_ACCOUNT');
  if (await sharePromotionRoot(tx, actorId, userId))
    throw new Refusal('OWN_ACCOUNT', { message: oneRootText });
}

/** Whether two accounts owe the administrator's role to the same person, or one to the other. */
export async function sharePromotionRoot({ db }: Tx, one: number, other: number): Promise<boolean> {
  const accounts = await db
    .selectFrom('users')
    .select(({ fn }) => fn.coalesce('admin_root', 'id').as('root'))
    .where('id', 'in', [one, other])
    .execute();
  return accounts.length === 2 && accounts[0]?.root === accounts[1]?.root;
}

const oneRootText =
  'Esta conta e a sua receberam o papel de administrador da mesma pessoa, ou uma da outra. Quem decide aqui é um administrador criado à parte, pela linha de comando (admin:create).';
