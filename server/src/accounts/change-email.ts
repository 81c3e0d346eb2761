import type { BodyOf, changeEmail as endpoint, ResponseOf } from '@jangada/contract';
import { insertAuditEntry } from '../audit/index.ts';
import { inTransaction, type Tx, type TxWithSecrets } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import {
  changeUser,
  confirmPassword,
  enforceAttemptLimit,
  normalizeEmail,
  requireFactor,
  searchText,
  uniqueViolationRefusal,
} from '../identity/index.ts';
import { invariant } from '../invariant.ts';
import {
  cancelMailLinks,
  consumeMailLink,
  createMailLink,
  findMailLink,
  findPendingEmail,
  isMailEnabled,
  verifyLinkToken,
  writeMail,
} from '../mail/index.ts';
import { Refusal } from '../refusal.ts';
import { holdPerson } from '../withdrawals/index.ts';
import { notifyAccountChange } from './change-account.ts';
import { type Account, isEmailTaken, isSessionAlive, lockAccount } from './store.ts';

/**
 * Requests a new e-mail for the caller's account and notifies the current address. The change takes effect when the
 * link mailed to the new address is opened, or immediately if mail is off. Requesting the current address cancels a
 * pending change. `stepUp` is the token that proves a recent second factor. Refused with EMAIL_TAKEN, PASSWORD_WRONG,
 * STEP_UP_REQUIRED, RATE_LIMITED or OVERLOADED.
 */
export async function changeEmail(
  deps: Pick<Deps, 'db' | 'clock' | 'config' | 'secrets'>,
  caller: Caller,
  { email: requestedEmail, password }: BodyOf<typeof endpoint>,
  stepUp: string | undefined,
): Promise<ResponseOf<typeof endpoint>> {
  const { userId, sessionHash } = caller;
  if (sessionHash === undefined) throw new Refusal('UNAUTHENTICATED');
  await confirmPassword(deps, caller, password);
  await requireFactor(deps, caller, stepUp);
  await enforceAttemptLimit(deps, emailChangeLimit(userId));
  const email = normalizeEmail(requestedEmail);
  const isPending = await inTransaction(deps, async (tx) => {
    const account = await lockAccount(tx, userId);
    if (account === undefined || !(await isSessionAlive(tx, sessionHash)))
      throw new Refusal('UNAUTHENTICATED');
    await cancelMailLinks(tx, userId, 'email');
    if (email === account.email) return false;
    if (await isEmailTaken(tx.db, email)) throw new Refusal('EMAIL_TAKEN');
    if (isMailEnabled(deps.config)) {
      await requestConfirmation(tx, userId, email);
      return true;
    }
    await replaceEmail(tx, account, email);
    return false;
  });
  return { email, pending: isPending };
}

/** Mails the confirmation link to the new address and a warning to the current one. */
async function requestConfirmation(tx: Tx, userId: number, email: string): Promise<void> {
  await mailConfirmationLink(tx, userId, email);
  const body =
    'Pediram a troca do e-mail da sua conta. Ela vale quando o link enviado ao endereço novo for aberto.';
  await writeMail(tx, { userId, kind: 'email', subject: 'Troca de e-mail pedida', paragraphs: [body] });
}

const linkLifetimeMs = 24 * 3_600_000;

/** Attempts are limited, because each reveals whether an address has an account, and may send mail to a stranger. */
function emailChangeLimit(userId: number) {
  return { key: `change-email ${userId}`, limit: 5, windowSeconds: 3600 };
}

async function mailConfirmationLink(tx: Tx, userId: number, email: string): Promise<void> {
  const linkId = await createMailLink(tx, { userId, purpose: 'email', email, lifetimeMs: linkLifetimeMs });
  await writeMail(tx, {
    userId,
    kind: 'email-confirmation',
    to: email,
    subject: 'Confirme seu e-mail novo',
    paragraphs: [
      'Pediram que este endereço passe a ser o e-mail de uma conta. Abra o link para confirmar: ele vale por 24 horas.',
      'Se não foi você, ignore esta mensagem.',
    ],
    linkId,
  });
}

/**
 * Mails a new link for a pending e-mail change, in place of the old one, and returns the new address. Refused with
 * NOT_FOUND if no change is pending, EMAIL_TAKEN if another account took the address meanwhile, or RATE_LIMITED.
 */
export async function resendEmailLink(deps: Pick<Deps, 'db' | 'clock'>, caller: Caller): Promise<string> {
  await enforceAttemptLimit(deps, emailChangeLimit(caller.userId));
  return inTransaction(deps, async (tx) => {
    const pendingEmail = await cancelPendingEmail(tx, caller);
    if (await isEmailTaken(tx.db, pendingEmail)) throw new Refusal('EMAIL_TAKEN');
    await mailConfirmationLink(tx, caller.userId, pendingEmail);
    return pendingEmail;
  });
}

/** Cancels a pending e-mail change and its link. Refused with NOT_FOUND if no change is pending. */
export async function cancelEmailChange(deps: Pick<Deps, 'db' | 'clock'>, caller: Caller): Promise<void> {
  await inTransaction(deps, (tx) => cancelPendingEmail(tx, caller));
}

/** Cancels the link of a pending e-mail change and returns the new address. */
async function cancelPendingEmail(tx: Tx, { userId, sessionHash }: Caller): Promise<string> {
  const account = await lockAccount(tx, userId);
  if (account === undefined || sessionHash === undefined || !(await isSessionAlive(tx, sessionHash)))
    throw new Refusal('UNAUTHENTICATED');
  const pendingEmail = await findPendingEmail(tx.db, userId, tx.now);
  if (pendingEmail === null)
    throw new Refusal('NOT_FOUND', { message: 'Nenhum e-mail espera confirmação nesta conta.' });
  await cancelMailLinks(tx, userId, 'email');
  return pendingEmail;
}

type EmailLink = { readonly id: string; readonly userId: number };

/**
 * Finds the e-mail change link to which a token belongs and returns the ids of the link and of its account. The link
 * stays usable. Refused with LINK_EXPIRED.
 */
export async function checkEmailLink(
  { db, clock, secrets }: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  token: string,
): Promise<EmailLink> {
  const id = verifyLinkToken(secrets, token);
  const link = id && (await findMailLink(db, id, 'email', clock.now()));
  if (!id || !link) throw new Refusal('LINK_EXPIRED');
  return { id, userId: link.userId };
}

/**
 * Confirms an e-mail change with the token from the mailed link and returns the new address. Refused with LINK_EXPIRED
 * or EMAIL_TAKEN.
 */
export async function confirmEmail(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  token: string,
): Promise<string> {
  const { id, userId } = await checkEmailLink(deps, token);
  return inTransaction(deps, async (tx) => {
    const account = await lockAccount(tx, userId);
    const link = await consumeMailLink(tx, id, 'email');
    if (link === undefined || account === undefined || account.frozen_at !== null)
      throw new Refusal('LINK_EXPIRED');
    invariant(link.email !== null, 'a link that confirms an address has one');
    await replaceEmail(tx, account, link.email);
    return link.email;
  });
}

/**
 * Changes an account's e-mail at its owner's request; the caller has locked the account's row. Holds withdrawals for a
 * day, notifies the previous address and cancels the password links that were mailed there. Refused with EMAIL_TAKEN.
 */
async function replaceEmail(tx: TxWithSecrets, account: Account, email: string): Promise<void> {
  const { id: userId, email: previousEmail } = account;
  try {
    await changeUser(tx, userId, { email, search_text: searchText({ ...account, email }) });
  } catch (error) {
    throw uniqueViolationRefusal(error) ?? error;
  }
  await cancelMailLinks(tx, userId, 'password');
  await holdPerson(tx, userId, 'email-changed');
  await insertAuditEntry(tx, {
    actor_id: userId,
    action: 'user updated',
    subject_id: userId,
    reason: null,
    before: { email: previousEmail },
    after: { email },
  });
  const body = 'O e-mail da sua conta foi alterado. Por segurança, os saques ficam suspensos por 24 horas.';
  await notifyAccountChange(tx, {
    userId,
    kind: 'email',
    title: 'E-mail alterado',
    body,
    formerEmail: previousEmail,
  });
}
