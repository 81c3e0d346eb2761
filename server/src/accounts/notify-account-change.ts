import type { Tx } from '../db/transaction.ts';
import { type NewMail, writeMail } from '../mail/index.ts';
import { saveNotifications } from '../notifications/index.ts';
import { writeMessages } from '../outbox/index.ts';

type News = Pick<NewMail, 'userId' | 'kind' | 'to'> & {
  /** A sentence without its full stop, used as mail subject and notification title. */
  readonly title: string;
  readonly body: string;
};

/** Notifies an account's owner of a change by mail and in the dashboard, whose open screens reload the account. */
export async function notifyAccountChange(tx: Tx, { userId, kind, title, body, to }: News): Promise<void> {
  await writeMail(tx, { userId, kind, subject: title, paragraphs: [body], ...(to !== undefined && { to }) });
  const data = { type: `account.${kind}` };
  const notified = await saveNotifications(tx, [{ merchantId: userId, title, body, data }]);
  await writeMessages(tx, [...notified, { merchantId: userId, message: { type: 'account' } }]);
}
