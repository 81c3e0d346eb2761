import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { hashPassword, replacePassword } from '../identity/index.ts';
import { cancelLinks, findLink, linkIdOf, takeLink } from '../mail/index.ts';
import { refuseWeakPassword } from '../passwords/index.ts';
import { Refusal } from '../refusal.ts';
import { holdWithdrawals } from '../withdrawals/index.ts';
import { findOwner, lockAccount } from './store.ts';
import { tellAccount } from './tell-account.ts';

/**
 * Gives an account another password by a link that was mailed to its owner. The link opens once, and with it end all
 * others that were mailed for this account, all sessions, and for a day withdrawals. A second factor stays.
 * Refused with LINK_EXPIRED, PASSWORD_COMMON (the link still opens then) or OVERLOADED.
 */
export async function resetPassword(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets' | 'outbox'>,
  { token, password }: { readonly token: string; readonly password: string },
): Promise<void> {
  const id = linkIdOf(deps.secrets, token);
  const link = id && (await findLink(deps.db, id, 'password', deps.clock.now()));
  const owner = link && (await findOwner(deps.db, link.userId));
  if (!id || !owner) throw new Refusal('LINK_EXPIRED');
  refuseWeakPassword(password, owner);
  const passwordHash = await hashPassword(password);
  await inTransaction(deps, async (tx) => {
    const account = await lockAccount(tx, owner.id);
    const taken = await takeLink(tx, id, 'password');
    if (taken === undefined || account === undefined || account.frozen_at !== null)
      throw new Refusal('LINK_EXPIRED');
    await replacePassword(tx, account.id, passwordHash);
    for (const purpose of ['password', 'email'] as const) await cancelLinks(tx, account.id, purpose);
    await holdWithdrawals(tx, account.id, 'password-reset');
    const body =
      'A senha da sua conta foi redefinida por um link enviado a este e-mail. Todas as sessões foram encerradas, e os saques ficam suspensos por 24 horas.';
    await tellAccount(tx, { userId: account.id, kind: 'password', title: 'Senha redefinida', body });
  });
  deps.outbox.wake();
}
