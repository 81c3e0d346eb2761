import type { Tx } from '../db/transaction.ts';
import { writeMail } from '../mail/index.ts';
import { keepNotifications } from '../notifications/index.ts';
import { writeMessages } from '../outbox/index.ts';

/** What happened to the factors of an account, or by one of them. `what` is a Portuguese sentence without anything typed. */
export async function tellFactor(
  tx: Tx,
  userId: number,
  what: { readonly type: `security.${string}`; readonly title: string; readonly body: string },
): Promise<void> {
  const { type, title, body } = what;
  await writeMail(tx, { userId, kind: 'factor', subject: title, paragraphs: [body] });
  await tellInPanel(tx, userId, { title, body, type });
}

/** The same, and no mail. */
export async function tellInPanel(
  tx: Tx,
  userId: number,
  { type, title, body }: { readonly type: string; readonly title: string; readonly body: string },
): Promise<void> {
  const notification = { merchantId: userId, title, body, data: { type } };
  await writeMessages(tx, await keepNotifications(tx, [notification]));
}
