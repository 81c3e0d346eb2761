import { randomUUID } from 'node:crypto';
import type { Tx } from '../db/transaction.ts';
import type { MailKind } from './mail.ts';
import { insertMail } from './store.ts';

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
 * goes out at all it is dropped.
 */
export async function writeMail(tx: Tx, { userId, paragraphs, ...mail }: NewMail): Promise<void> {
  const body = paragraphs.join('\n\n');
  await insertMail(tx, { ...mail, userId, id: randomUUID(), body });
}
