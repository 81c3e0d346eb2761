import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { dropFactors, forgetDevicesOf, hashPassword, replacePassword, returning } from '../identity/index.ts';
import { takeLink } from '../mail/index.ts';
import { refuseWeakPassword } from '../passwords/index.ts';
import { Refusal } from '../refusal.ts';
import { holdWithdrawals } from '../withdrawals/index.ts';
import { checkResetLink } from './check-reset-link.ts';
import { notifyAccountChange } from './notify-account-change.ts';
import { type Account, lockAccount } from './store.ts';

/** Withdrawals are held for as long, so nothing left meanwhile by a factor that somebody else set up. */
const newFactorMs = 24 * 3_600_000;

/**
 * Gives an account another password by a link that was mailed to its owner. The link opens once, and with it end all
 * others that were mailed for this account, all sessions, browsers that were known, and for a day withdrawals. A second
 * factor stays, unless it was set up in the day before.
 * Refused with LINK_EXPIRED, PASSWORD_COMMON (the link still opens then) or OVERLOADED.
 */
export async function resetPassword(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  { token, password }: { readonly token: string; readonly password: string },
): Promise<void> {
  const { id, owner } = await checkResetLink(deps, token);
  refuseWeakPassword(password, owner);
  const passwordHash = await hashPassword(password, returning(owner.id));
  await inTransaction(deps, async (tx) => {
    const account = await lockAccount(tx, owner.id);
    const taken = await takeLink(tx, id, 'password');
    if (taken === undefined || account === undefined || account.frozen_at !== null)
      throw new Refusal('LINK_EXPIRED');
    await replacePassword(tx, account.id, { passwordHash });
    await forgetDevicesOf(tx, account.id);
    const dropped = await dropNewFactors(tx, account);
    await holdWithdrawals(tx, account.id, 'password-reset');
    const body = dropped ? `${told} ${toldOfFactors}` : told;
    await notifyAccountChange(tx, { userId: account.id, kind: 'password', title: 'Senha redefinida', body });
  });
}

const told =
  'A senha da sua conta foi redefinida por um link enviado a este e-mail. Todas as sessões foram encerradas, e os saques ficam suspensos por 24 horas.';
const toldOfFactors =
  'O segundo fator cadastrado nas últimas 24 horas foi removido: se foi você quem o cadastrou, cadastre-o de novo.';

/** Whether any were. Those of staff stay: their mailbox alone is not to open the administration. */
async function dropNewFactors(tx: Tx, { id, role }: Account): Promise<boolean> {
  if (role !== 'USER') return false;
  const { before, after } = await dropFactors(tx, id, new Date(tx.now.getTime() - newFactorMs));
  return before.totp !== after.totp || before.passkeys !== after.passkeys;
}
