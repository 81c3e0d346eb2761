import { randomUUID } from 'node:crypto';
import type { Tx } from '../db/transaction.ts';
import { kindsCappedWith, type MailKind } from './mail.ts';
import { countMails, insertMail } from './store.ts';

/** Of kinds that share it: whoever registered with somebody's address could make us write to them without end. */
const mostAnHour = 20;
const hourMs = 3_600_000;
const lastWords =
  'Há mais avisos no painel: foram tantos em uma hora que os próximos como este deixam de vir por e-mail por algum tempo.';

export type NewMail = {
  /** Whose account it is about. */
  readonly userId: number;
  readonly kind: MailKind;
  /** One line. */
  readonly subject: string;
  /**
   * Portuguese sentences, without greeting, time and link, which are added. Nothing that a stranger may have chosen (a
   * name, a user agent): whoever registers with somebody's address would write to them through us. Nothing secret.
   */
  readonly paragraphs: readonly string[];
  /** Where it goes when not to the account's address. */
  readonly to?: string;
  /** A link that was made for it (`makeLink`): once that has ended, the mail is not sent any more. */
  readonly linkId?: string;
};

/**
 * Writes a mail in the transaction that causes it. It leaves within seconds of the commit, at least once; where no mail
 * goes out at all it is dropped. So it is after many of its kinds in an hour, the last of which says so.
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
