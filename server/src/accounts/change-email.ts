import type { BodyOf, changeEmail as endpoint, ResponseOf } from '@jangada/contract';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { confirmPassword, foldEmail, requireFactor, takeAttempt } from '../identity/index.ts';
import { cancelLinks, isMailOn, writeMail } from '../mail/index.ts';
import { Refusal } from '../refusal.ts';
import { replaceEmail } from './replace-email.ts';
import { emailAllowance, mailEmailLink } from './resend-email-link.ts';
import { isEmailTaken, isSessionAlive, lockAccount } from './store.ts';

/**
 * Changes the e-mail of the caller's account once the link mailed to the new address is opened; the current address is
 * notified at once. If mail is off, the change takes effect immediately. Requesting the current address cancels a
 * pending change. Refused with EMAIL_TAKEN, RATE_LIMITED, and as `confirmPassword` and `requireFactor`.
 */
export async function changeEmail(
  deps: Pick<Deps, 'db' | 'clock' | 'config' | 'secrets'>,
  caller: Caller,
  { email: typed, password }: BodyOf<typeof endpoint>,
  stepUp: string | undefined,
): Promise<ResponseOf<typeof endpoint>> {
  const { userId, sessionHash } = caller;
  if (sessionHash === undefined) throw new Refusal('UNAUTHENTICATED');
  await confirmPassword(deps, caller, password);
  await requireFactor(deps, caller, stepUp);
  await takeAttempt(deps, emailAllowance(userId));
  const email = foldEmail(typed);
  const pending = await inTransaction(deps, async (tx) => {
    const account = await lockAccount(tx, userId);
    if (account === undefined || !(await isSessionAlive(tx, sessionHash)))
      throw new Refusal('UNAUTHENTICATED');
    await cancelLinks(tx, userId, 'email');
    if (email === account.email) return false;
    if (await isEmailTaken(tx.db, email)) throw new Refusal('EMAIL_TAKEN');
    if (isMailOn(deps.config)) return askForLink(tx, userId, email);
    await replaceEmail(tx, account, email);
    return false;
  });
  return { email, pending };
}

async function askForLink(tx: Tx, userId: number, email: string): Promise<true> {
  await mailEmailLink(tx, userId, email);
  const body =
    'Pediram a troca do e-mail da sua conta. Ela vale quando o link enviado ao endereço novo for aberto.';
  await writeMail(tx, { userId, kind: 'email', subject: 'Troca de e-mail pedida', paragraphs: [body] });
  return true;
}
