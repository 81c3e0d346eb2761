import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { takeAttempt } from '../identity/index.ts';
import { cancelLinks, findPendingEmail, makeLink, writeMail } from '../mail/index.ts';
import { Refusal } from '../refusal.ts';
import { isEmailTaken, isSessionAlive, lockAccount } from './store.ts';

const linkMs = 24 * 3_600_000;

/** Limited because each attempt reveals whether an address has an account and mails somebody who may not have asked. */
export function emailAllowance(userId: number) {
  return { key: `change-email ${userId}`, limit: 5, windowSeconds: 3600 };
}

/** Mails the link that confirms a new address. */
export async function mailEmailLink(tx: Tx, userId: number, email: string): Promise<void> {
  const linkId = await makeLink(tx, { userId, purpose: 'email', email, lifetimeMs: linkMs });
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
 * Replaces the link of a pending e-mail change, mails the new one and returns the address. Refused with NOT_FOUND if no
 * change is pending, EMAIL_TAKEN if another account took the address meanwhile, or RATE_LIMITED.
 */
export async function resendEmailLink(deps: Pick<Deps, 'db' | 'clock'>, caller: Caller): Promise<string> {
  await takeAttempt(deps, emailAllowance(caller.userId));
  return inTransaction(deps, async (tx) => {
    const pending = await givenUp(tx, caller);
    if (await isEmailTaken(tx.db, pending)) throw new Refusal('EMAIL_TAKEN');
    await mailEmailLink(tx, caller.userId, pending);
    return pending;
  });
}

/** Cancels a pending e-mail change and its link. Refused with NOT_FOUND if no change is pending. */
export async function cancelEmailChange(deps: Pick<Deps, 'db' | 'clock'>, caller: Caller): Promise<void> {
  await inTransaction(deps, (tx) => givenUp(tx, caller));
}

/** Cancels the pending link and returns its address. */
async function givenUp(tx: Tx, { userId, sessionHash }: Caller): Promise<string> {
  const account = await lockAccount(tx, userId);
  if (account === undefined || sessionHash === undefined || !(await isSessionAlive(tx, sessionHash)))
    throw new Refusal('UNAUTHENTICATED');
  const pending = await findPendingEmail(tx.db, userId, tx.now);
  if (pending === null)
    throw new Refusal('NOT_FOUND', { message: 'Nenhum e-mail espera confirmação nesta conta.' });
  await cancelLinks(tx, userId, 'email');
  return pending;
}
