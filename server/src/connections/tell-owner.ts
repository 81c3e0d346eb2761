import type { Tx } from '../db/transaction.ts';
import { writeMail } from '../mail/index.ts';
import { saveNotifications } from '../notifications/index.ts';
import { writeMessages } from '../outbox/index.ts';

/** News about an account at a bank for its owner. */
type News = {
  readonly merchantId: number;
  readonly connectionId: number;
  readonly type: `connection.${string}`;
  readonly title: string;
  /** Portuguese sentences without anything that a stranger may have chosen: they also go by mail. */
  readonly body: string;
};

/** Tells the owner of an account at a bank what happened to it: by mail, in the panel and on their devices. */
export async function tellOwner(
  tx: Tx,
  { merchantId, connectionId, type, title, body }: News,
): Promise<void> {
  await writeMail(tx, {
    userId: merchantId,
    kind: 'account',
    subject: title,
    paragraphs: [body],
  });
  const data = { type, id: String(connectionId) };
  await writeMessages(tx, await saveNotifications(tx, [{ merchantId, title, body, data }]));
}
