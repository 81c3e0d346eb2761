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

/** As long as the hold on withdrawals, so that nothing was withdrawn with a factor that somebody else set up. */
const newFactorMs = 24 * 3_600_000;

/**
 * Sets a new password by a mailed link, which works once. Ends all sessions, known browsers and other mailed links of
 * the account, and holds withdrawals for a day. Second factors stay, except a merchant's factors set up within the last
 * day. Refused with LINK_EXPIRED, PASSWORD_COMMON (the link remains valid) or OVERLOADED.
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

/**
 * Returns whether any factor was removed. Staff keep theirs: access to a mailbox alone must not open the
 * administration.
 */
async function dropNewFactors(tx: Tx, { id, role }: Account): Promise<boolean> {
  if (role !== 'USER') return false;
  const { before, after } = await dropFactors(tx, id, new Date(tx.now.getTime() - newFactorMs));
  return before.totp !== after.totp || before.passkeys !== after.passkeys;
}
