import { randomUUID } from 'node:crypto';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { networkOf } from '../http/network-of.ts';
import {
  dropFactors,
  foldEmail,
  forgetDevicesOf,
  hashPassword,
  opaqueKey,
  refuseWeakPassword,
  replacePassword,
  returningUserHashQueue,
  takeAttempts,
} from '../identity/index.ts';
import { findLink, isMailOn, linkIdOf, makeLink, takeLink, writeMail } from '../mail/index.ts';
import { Refusal } from '../refusal.ts';
import { holdWithdrawals } from '../withdrawals/index.ts';
import { notifyAccountChange } from './change-account.ts';
import {
  type Account,
  findOwner,
  findRecoverable,
  insertRecovery,
  lockAccount,
  takeRecoveries,
} from './store.ts';

const hourSeconds = 3600;

/**
 * Queues a password recovery request for an e-mail address. Does the same work whether or not the account exists:
 * `sendRecoveryLinks` checks that later. Refused with RECOVERY_OFF, and with RATE_LIMITED per network and per e-mail,
 * whether or not the e-mail has an account. The limit per e-mail over all networks is so high that nobody can use it up
 * for the owner from one network.
 */
export async function recoverPassword(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  requestedEmail: string,
  address: string,
): Promise<void> {
  if (!isMailOn(deps.config)) throw new Refusal('RECOVERY_OFF');
  const email = foldEmail(requestedEmail);
  const network = networkOf(address);
  const emailHash = opaqueKey(email);
  await takeAttempts(deps, [
    { key: `recover at ${network}`, limit: 30, windowSeconds: hourSeconds },
    { key: `recover ${emailHash} at ${network}`, limit: 5, windowSeconds: hourSeconds },
    { key: `recover ${emailHash}`, limit: 20, windowSeconds: hourSeconds },
  ]);
  await insertRecovery(deps.db, randomUUID(), email, deps.clock.now());
}

const requestsPerRun = 20;
const recoveryLinkLifetimeMs = 30 * 60_000;

/**
 * Mails a recovery link for each queued request whose e-mail belongs to an account that is not frozen. Returns the
 * number of requests that were taken from the queue.
 */
export function sendRecoveryLinks(deps: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  return inTransaction(deps, async (tx) => {
    const emails = await takeRecoveries(tx, requestsPerRun);
    if (emails.length === 0) return 0;
    for (const userId of await findRecoverable(tx, emails)) {
      const linkId = await makeLink(tx, { userId, purpose: 'password', lifetimeMs: recoveryLinkLifetimeMs });
      await writeMail(tx, {
        userId,
        kind: 'password-recovery',
        subject: 'Crie outra senha',
        paragraphs: [
          'Pediram uma senha nova para a sua conta. Abra o link para criá-la: ele vale por 30 minutos e uma vez só.',
          'Se não foi você, ignore esta mensagem: nada mudou na conta.',
          'Uma senha nova encerra todas as sessões e suspende os saques por 24 horas. O segundo fator, se houver, continua, a não ser que tenha sido cadastrado nas últimas 24 horas.',
        ],
        linkId,
      });
    }
    return emails.length;
  });
}

type ResetLink = { readonly id: string; readonly owner: Account };

/**
 * Returns the id of the password reset link to which a token belongs, and the link's account, without consuming the
 * link. Refused with LINK_EXPIRED.
 */
export async function checkResetLink(
  { db, clock, secrets }: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  token: string,
): Promise<ResetLink> {
  const id = linkIdOf(secrets, token);
  const link = id && (await findLink(db, id, 'password', clock.now()));
  const owner = link && (await findOwner(db, link.userId));
  if (!id || !owner || owner.frozen_at !== null) throw new Refusal('LINK_EXPIRED');
  return { id, owner };
}

/**
 * A second factor younger than this is removed by a password reset, since somebody else may have set it up. The time is
 * that of the hold on withdrawals that follows the reset.
 */
const newFactorMs = 24 * 3_600_000;

/**
 * Sets a new password by a mailed link, which works once. Ends all sessions, known browsers and other mailed links of
 * the account, and holds withdrawals for a day. Second factors stay, except a merchant's factors set up within the last
 * day. Refused with LINK_EXPIRED, PASSWORD_COMMON (the link then stays valid) or OVERLOADED.
 */
export async function resetPassword(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  { token, password }: { readonly token: string; readonly password: string },
): Promise<void> {
  const { id, owner } = await checkResetLink(deps, token);
  refuseWeakPassword(password, owner);
  const passwordHash = await hashPassword(password, returningUserHashQueue(owner.id));
  await inTransaction(deps, async (tx) => {
    const account = await lockAccount(tx, owner.id);
    const link = await takeLink(tx, id, 'password');
    if (link === undefined || account === undefined || account.frozen_at !== null)
      throw new Refusal('LINK_EXPIRED');
    await replacePassword(tx, account.id, { passwordHash });
    await forgetDevicesOf(tx, account.id);
    const hasDroppedFactors = await dropNewFactors(tx, account);
    await holdWithdrawals(tx, account.id, 'password-reset');
    const body = hasDroppedFactors ? `${passwordResetText} ${factorsDroppedText}` : passwordResetText;
    await notifyAccountChange(tx, { userId: account.id, kind: 'password', title: 'Senha redefinida', body });
  });
}

const passwordResetText =
  'A senha da sua conta foi redefinida por um link enviado a este e-mail. Todas as sessões foram encerradas, e os saques ficam suspensos por 24 horas.';
const factorsDroppedText =
  'O segundo fator cadastrado nas últimas 24 horas foi removido: se foi você quem o cadastrou, cadastre-o de novo.';

/**
 * Removes the second factors of a merchant set up within the last day, and returns whether there were any. Staff keep
 * theirs: access to a mailbox alone must not open the administration.
 */
async function dropNewFactors(tx: Tx, { id, role }: Account): Promise<boolean> {
  if (role !== 'USER') return false;
  const { before, after } = await dropFactors(tx, id, new Date(tx.now.getTime() - newFactorMs));
  return before.hasTotp !== after.hasTotp || before.passkeyCount !== after.passkeyCount;
}
