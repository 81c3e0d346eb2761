import type { LiveMessage } from '@jangada/contract';
import type { Tx } from '../db/transaction.ts';
import { saveNotifications } from '../notifications/index.ts';
import { writeMessages } from '../outbox/index.ts';
import { emitWithdrawalEvent } from '../webhooks/index.ts';
import { mailWithdrawal } from './mail-withdrawal.ts';
import { publicStatusOf, type Withdrawal } from './withdrawal.ts';

type Words = { readonly title: string; readonly body: string };

/** What was returned just now. */
type Returned = { readonly cents: number; readonly rtrId: string };

/**
 * Publishes a withdrawal's new state to the merchant's webhook, e-mail, notifications and open screens, in the same
 * transaction as the change. `withdrawal`: the new state.
 */
export async function publishWithdrawalEvent(
  tx: Tx,
  withdrawal: Withdrawal,
  { title, body }: Words,
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
  const notified = await saveNotifications(tx, [{ merchantId, title, body, data }]);
  await writeMessages(tx, [...notified, { merchantId, message }]);
}
