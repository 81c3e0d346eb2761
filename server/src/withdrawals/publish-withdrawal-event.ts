import type { LiveMessage } from '@jangada/contract';
import type { Tx } from '../db/transaction.ts';
import { writeMail } from '../mail/index.ts';
import { type NotificationText, saveNotifications } from '../notifications/index.ts';
import { writeMessages } from '../outbox/index.ts';
import { emitWithdrawalEvent } from '../webhooks/index.ts';
import type { NewWithdrawal } from './store.ts';
import { publicStatusOf, type Withdrawal } from './withdrawal.ts';

/** `cents`: the total returned so far. `rtrId`: the return that was just booked. */
type BookedReturn = { readonly cents: number; readonly rtrId: string };

/**
 * Publishes a withdrawal's new state to the merchant's webhook, e-mail, notifications and open screens, in the
 * transaction of the change. `withdrawal` must already have the new state.
 */
export async function publishWithdrawalEvent(
  tx: Tx,
  withdrawal: Withdrawal,
  { title, body }: NotificationText,
  returned?: BookedReturn,
): Promise<void> {
  const { merchantId, id, status } = withdrawal;
  const publicStatus = publicStatusOf(withdrawal);
  await emitWithdrawalEvent(tx, {
    ...withdrawal,
    withdrawalId: id,
    status: publicStatus,
    error: publicStatus === 'ERROR' || returned !== undefined ? body : undefined,
    ...(returned && { returned }),
  });
  const data = { type: `withdrawal.${publicStatus.toLowerCase()}`, id, status };
  const message: LiveMessage = { type: 'withdrawal', withdrawal: { id, status } };
  await mailWithdrawal(tx, withdrawal, title, body);
  const notificationMessages = await saveNotifications(tx, [{ merchantId, title, body, data }]);
  await writeMessages(tx, [...notificationMessages, { merchantId, message }]);
}

/** E-mails the merchant about a withdrawal. The text shows the key masked, because e-mail is not confidential. */
export async function mailWithdrawal(
  tx: Tx,
  { merchantId, pixKey }: Pick<NewWithdrawal, 'merchantId' | 'pixKey'>,
  subject: string,
  body: string,
): Promise<void> {
  const paragraphs = [body.replaceAll(pixKey, maskPixKey(pixKey))];
  await writeMail(tx, { userId: merchantId, kind: 'withdrawal', subject, paragraphs });
}

/**
 * Masks a Pix key so that only somebody who knows the key recognizes it. An e-mail (the only key with an @) keeps its
 * first letter and its domain, any other key its last four characters.
 */
export function maskPixKey(pixKey: string): string {
  const at = pixKey.lastIndexOf('@');
  return at > 0 ? `${pixKey.slice(0, 1)}•••${pixKey.slice(at)}` : `•••${pixKey.slice(-4)}`;
}
