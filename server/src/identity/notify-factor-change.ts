import type { Tx } from '../db/transaction.ts';
import { writeMail } from '../mail/index.ts';
import { saveNotifications } from '../notifications/index.ts';
import { writeMessages } from '../outbox/index.ts';

/**
 * Notifies an account's owner, by mail and in the panel, of a change to the factors or the use of one. `what` is in
 * Portuguese and contains nothing that a user typed.
 */
export async function notifyFactorChange(
  tx: Tx,
  userId: number,
  what: { readonly type: `security.${string}`; readonly title: string; readonly body: string },
): Promise<void> {
  const { type, title, body } = what;
  await writeMail(tx, { userId, kind: 'factor', subject: title, paragraphs: [body] });
  await notifyInPanel(tx, userId, { title, body, type });
}

/** Notifies the owner in the panel only, without a mail. */
export async function notifyInPanel(
  tx: Tx,
  userId: number,
  { type, title, body }: { readonly type: string; readonly title: string; readonly body: string },
): Promise<void> {
  const notification = { merchantId: userId, title, body, data: { type } };
  await writeMessages(tx, await saveNotifications(tx, [notification]));
}
