import type { Tx } from '../db/transaction.ts';
import { Refusal } from '../refusal.ts';

/**
 * Keeps administrators away from their own money: refused with OWN_ACCOUNT on their own account and on one whose
 * administrator role comes from the same person. An account that somebody promoted is not an independent reviewer.
 */
export async function refuseOwnAccount({ db }: Tx, actorId: number, userId: number): Promise<void> {
  if (actorId === userId) throw new Refusal('OWN_ACCOUNT');
  const accounts = await db
    .selectFrom('users')
    .select(({ fn }) => fn.coalesce('admin_root', 'id').as('root'))
    .where('id', 'in', [actorId, userId])
    .execute();
  const [one, other] = accounts;
  if (one !== undefined && one.root === other?.root)
    throw new Refusal('OWN_ACCOUNT', { message: oneRootText });
}

const oneRootText =
  'Esta conta e a sua receberam o papel de administrador da mesma pessoa, ou uma da outra. Quem decide aqui é um administrador criado à parte, pela linha de comando (admin:create).';
