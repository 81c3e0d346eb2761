import { randomUUID } from 'node:crypto';
import { formatMomentForSentence } from '../calendar-day.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { networkOf } from '../http/network-of.ts';
import {
  dropFactors,
  enforceAttemptLimits,
  forgetDevicesOf,
  hashForLimitKey,
  hashPassword,
  normalizeEmail,
  refuseWeakPassword,
  replacePassword,
  returningUserHashQueue,
} from '../identity/index.ts';
import {
  consumeMailLink,
  createMailLink,
  findMailLink,
  isMailEnabled,
  verifyLinkToken,
  writeMail,
} from '../mail/index.ts';
import { findPersonHold } from '../money-hold.ts';
import { Refusal } from '../refusal.ts';
import { holdPerson } from '../withdrawals/index.ts';
import { notifyAccountChange } from './change-account.ts';
import {
  type Account,
  dequeueRecoveryRequests,
  findAccountById,
  findRecoverableAccountIds,
  insertRecovery,
  lockAccount,
} from './store.ts';

const hourSeconds = 3600;

/**
 * Queues a password recovery request for an e-mail address. Accounts are looked up only later (`sendRecoveryLinks`), so
 * that neither the response nor the response time reveals whether the address has an account. Refused with RECOVERY_OFF
 * or RATE_LIMITED. The limits, which apply whether or not there is an account, are per network, per e-mail within a
 * network, and per e-mail over all networks. The last one is so high that nobody can use it up from one network and so
 * keep the owner from recovering the password.
 */
export async function recoverPassword(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  requestedEmail: string,
  address: string,
): Promise<void> {
  if (!isMailEnabled(deps.config)) throw new Refusal('RECOVERY_OFF');
  const email = normalizeEmail(requestedEmail);
  const network = networkOf(address);
  const emailHash = hashForLimitKey(email);
  await enforceAttemptLimits(deps, [
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
    const emails = await dequeueRecoveryRequests(tx, requestsPerRun);
    if (emails.length === 0) return 0;
    for (const userId of await findRecoverableAccountIds(tx, emails)) {
      const linkId = await createMailLink(tx, {
        userId,
        purpose: 'password',
        lifetimeMs: recoveryLinkLifetimeMs,
      });
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
 * Finds the password reset link to which a token belongs and returns the link's id and its account. The link stays
 * usable. Refused with LINK_EXPIRED, also if the account is frozen.
 */
export async function checkResetLink(
  { db, clock, secrets }: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  token: string,
): Promise<ResetLink> {
  const id = verifyLinkToken(secrets, token);
  const link = id && (await findMailLink(db, id, 'password', clock.now()));
  const owner = link && (await findAccountById(db, link.userId));
  if (!id || !owner || owner.frozen_at !== null) throw new Refusal('LINK_EXPIRED');
  return { id, owner };
}

/**
 * A password reset removes second factors younger than this, because somebody else may have set them up. The time
 * equals the hold on withdrawals that follows the reset.
 */
const newFactorMs = 24 * 3_600_000;

/**
 * Sets a new password with a mailed link, which works once. Ends all sessions of the account, forgets its known
 * browsers, cancels its other mailed links and holds its withdrawals for a day. Second factors stay, except those that
 * a merchant set up within the last day. Refused with LINK_EXPIRED, or with PASSWORD_COMMON or OVERLOADED, after which
 * the link can be used again.
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
    const link = await consumeMailLink(tx, id, 'password');
    if (link === undefined || account === undefined || account.frozen_at !== null)
      throw new Refusal('LINK_EXPIRED');
    await replacePassword(tx, account.id, { passwordHash });
    await forgetDevicesOf(tx, account.id);
    const hasDroppedFactors = await dropNewFactors(tx, account);
    await holdPerson(tx, account.id, 'password-reset');
    // A recovery by support holds longer than a reset does.
    const hold = await findPersonHold(tx.db, account.id, tx.now);
    const resetText = `${passwordResetText} ${hold === undefined ? '' : `até ${formatMomentForSentence(hold.until)}`}.`;
    const body = hasDroppedFactors ? `${resetText} ${factorsDroppedText}` : resetText;
    await notifyAccountChange(tx, { userId: account.id, kind: 'password', title: 'Senha redefinida', body });
  });
}

const passwordResetText =
  'A senha da sua conta foi redefinida por um link enviado a este e-mail. Todas as sessões foram encerradas, e os saques ficam suspensos';
const factorsDroppedText =
  'O segundo fator cadastrado nas últimas 24 horas foi removido: se foi você quem o cadastrou, cadastre-o de novo.';

/**
 * Removes the second factors that a merchant set up within the last day, and returns whether any were removed. Staff
 * keep theirs, because access to a mailbox alone must not open the administration.
 */
async function dropNewFactors(tx: Tx, { id, role }: Account): Promise<boolean> {
  if (role !== 'USER') return false;
  const { before, after } = await dropFactors(tx, id, new Date(tx.now.getTime() - newFactorMs));
  return before.hasTotp !== after.hasTotp || before.passkeyCount !== after.passkeyCount;
}
