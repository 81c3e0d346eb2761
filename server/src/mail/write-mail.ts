import { randomUUID } from 'node:crypto';
import type { Tx } from '../db/transaction.ts';
import { kindsCappedWith, type MailKind } from './mail.ts';
import { countMails, insertMail } from './store.ts';

/**
 * Per group of kinds that share the limit. Without it, whoever registers with another person's address could make us
 * mail them endlessly.
 */
const mostAnHour = 20;
const hourMs = 3_600_000;
const lastWords =
  'Há mais avisos no painel: foram tantos em uma hora que os próximos como este deixam de vir por e-mail por algum tempo.';

export type NewMail = {
  /** The account that the mail is about. */
  readonly userId: number;
  readonly kind: MailKind;
  /** A single line. */
  readonly subject: string;
  /**
   * Portuguese sentences; greeting, time and link are added. Must not contain anything a stranger may have chosen (a
   * name, a user agent): whoever registers with another person's address could write to them through us. No secrets.
   */
  readonly paragraphs: readonly string[];
  /** Recipient, if not the account's address. */
  readonly to?: string;
  /** The link it carries (`makeLink`); once the link has ended, the mail is not sent. */
  readonly linkId?: string;
};

/**
 * Writes a mail in the transaction that causes it. It is sent within seconds of the commit, at least once. It is
 * dropped if mail is off, or after too many of its kinds in an hour; the last one before the limit says so.
 */
export async function writeMail(tx: Tx, { userId, paragraphs, ...mail }: NewMail): Promise<void> {
  const before = await countLately(tx, userId, kindsCappedWith(mail.kind));
  if (before >= mostAnHour) return;
  const body = [...paragraphs, ...(before === mostAnHour - 1 ? [lastWords] : [])].join('\n\n');
  await insertMail(tx, { ...mail, userId, id: randomUUID(), body });
}

async function countLately({ db, now }: Tx, userId: number, kinds: readonly string[]): Promise<number> {
  if (kinds.length === 0) return 0;
  return countMails(db, { userId, kinds, since: new Date(now.getTime() - hourMs) });
}
