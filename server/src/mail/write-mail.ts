import { randomUUID } from 'node:crypto';
import type { Tx } from '../db/transaction.ts';
import { cappedKinds, type MailKind } from './mail.ts';
import { countMails, insertMail } from './store.ts';

/** To one account: whoever registered with somebody else's address would write to them through us for ever. */
const mostAnHour = 20;
const hourMs = 3_600_000;
const lastWords =
  'Há mais avisos no painel: para não encher esta caixa, os próximos só chegam lá enquanto houver muitos em uma hora.';

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
 * goes out at all it is dropped. So it is after many in an hour, the last of which says so, unless it carries a link or
 * is of an administrator's doing.
 */
export async function writeMail(tx: Tx, { userId, paragraphs, ...mail }: NewMail): Promise<void> {
  const before = cappedKinds.includes(mail.kind) ? await countLately(tx, userId) : 0;
  if (before >= mostAnHour) return;
  const body = [...paragraphs, ...(before === mostAnHour - 1 ? [lastWords] : [])].join('\n\n');
  await insertMail(tx, { ...mail, userId, id: randomUUID(), body });
}

function countLately({ db, now }: Tx, userId: number): Promise<number> {
  const since = new Date(now.getTime() - hourMs);
  return countMails(db, { userId, kinds: cappedKinds, since });
}
