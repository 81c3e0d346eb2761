import { randomUUID } from 'node:crypto';
import type { Tx } from '../db/transaction.ts';
import { isAboutAccount, isLimited, type MailKind } from './mail.ts';
import { countMails, insertMail } from './store.ts';

/**
 * How many mails of one kind a person gets in an hour, if the kind is limited. Without a limit, somebody who
 * registers with another person's address could make the gateway mail that person endlessly.
 */
const maxPerHour = 20;
const hourMs = 3_600_000;
const limitText =
  'Há mais avisos no painel: foram tantos em uma hora que os próximos como este deixam de vir por e-mail por algum tempo.';

export type NewMail = {
  /** The account or the person that the mail is about; which of them, the kind says. Of an account, its holder gets it. */
  readonly userId: number;
  readonly kind: MailKind;
  /** A single line. */
  readonly subject: string;
  /**
   * Portuguese sentences; time and link are added. They must contain no secrets, and nothing that a stranger may have
   * chosen (a name, a user agent), because somebody who registers with another person's address could use it to write
   * to that person. Only a reminder has words of a merchant, which name no addresses.
   */
  readonly paragraphs: readonly string[];
  /** The recipient's address, if it is not the account's. */
  readonly to?: string;
  /** The id of the link in the mail (`createMailLink`); once the link has expired, the mail is not sent. */
  readonly linkId?: string;
  /** The charge of the account of which the mail reminds a customer; once it has ended, the mail is not sent. */
  readonly chargeId?: string;
  /** The subscription of the account that the mail asks to authorise; once nobody is to, the mail is not sent. */
  readonly subscriptionId?: string;
  /** From this moment on the mail is not sent any more. */
  readonly uselessAfter?: Date;
};

/**
 * Writes a mail in the transaction that causes it. The mail is sent within seconds of the commit, at least once. It is
 * dropped if the gateway sends no mails, or if the person got too many mails of its kind within an hour; the last
 * mail before that limit says so.
 */
export async function writeMail(tx: Tx, { userId, paragraphs, ...mail }: NewMail): Promise<void> {
  const toHolder = isAboutAccount(mail.kind);
  const earlierMailCount = isLimited(mail.kind)
    ? await countInLastHour(tx, { userId, toHolder, kind: mail.kind })
    : 0;
  if (earlierMailCount >= maxPerHour) return;
  const body = [...paragraphs, ...(earlierMailCount === maxPerHour - 1 ? [limitText] : [])].join('\n\n');
  await insertMail(tx, { ...mail, userId, toHolder, id: randomUUID(), body });
}

async function countInLastHour(
  { db, now }: Tx,
  mails: { readonly userId: number; readonly toHolder: boolean; readonly kind: MailKind },
): Promise<number> {
  return countMails(db, { ...mails, since: new Date(now.getTime() - hourMs) });
}
