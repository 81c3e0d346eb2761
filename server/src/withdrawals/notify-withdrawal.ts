import type { LiveMessage } from '@jangada/contract';
import type { Tx } from '../db/transaction.ts';
import { writeMail } from '../mail/index.ts';
import { type NotificationText, saveNotifications } from '../notifications/index.ts';
import { writeMessages } from '../outbox/index.ts';
import { emitWithdrawalEvent } from '../webhooks/index.ts';
import type { NewWithdrawal } from './store.ts';
import { publicStatusOf, type Withdrawal } from './withdrawal.ts';

/** The total returned so far, and the id of the return that was just booked. */
type Returned = { readonly cents: number; readonly rtrId: string };

/**
 * Publishes a withdrawal's new state to the merchant's webhook, e-mail, notifications and open screens, in the same
 * transaction as the change. `withdrawal` must have the new state.
 */
export async function publishWithdrawalEvent(
  tx: Tx,
  withdrawal: Withdrawal,
  { title, body }: NotificationText,
  returned?: Returned,
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

/** E-mails the merchant about a withdrawal. E-mail is not confidential, so the key is masked in the text. */
export async function mailWithdrawal(
  tx: Tx,
  { merchantId, pixKey }: Pick<NewWithdrawal, 'merchantId' | 'pixKey'>,
  subject: string,
  body: string,
): Promise<void> {
  const paragraphs = [body.replaceAll(pixKey, maskKey(pixKey))];
  await writeMail(tx, { userId: merchantId, kind: 'withdrawal', subject, paragraphs });
}

/**
 * Masks a Pix key so that only those who know the key recognize it: of an e-mail (the only key with an @), the first
 * letter and the domain are left; of any other key, the last four characters.
 */
export function maskKey(pixKey: string): string {
  const at = pixKey.lastIndexOf('@');
  return at > 0 ? `${pixKey.slice(0, 1)}•••${pixKey.slice(at)}` : `•••${pixKey.slice(-4)}`;
}
