import type { OrderHooks } from '../approvals/index.ts';
import { writeMessages } from '../outbox/index.ts';
import { failWithdrawal } from './fail-withdrawal.ts';
import { lockWithdrawal, updateWithdrawal } from './store.ts';

/** The effects of approvals on a withdrawal. One that an approval released is proven again before it is sent. */
export const withdrawalApprovalHooks: OrderHooks = {
  async lock(tx, merchantId, id) {
    await lockWithdrawal(tx, { merchantId, id });
  },
  async release(tx, merchantId, id) {
    const withdrawal = await lockWithdrawal(tx, { merchantId, id });
    // One that the operator holds goes on saying so, until the operator releases it.
    if (withdrawal?.status !== 'pending' || withdrawal.operatorHoldReason !== null) return;
    const message = { type: 'withdrawal', withdrawal: { id, status: 'pending' } } as const;
    await writeMessages(tx, [{ merchantId, message }]);
    await updateWithdrawal(tx, withdrawal, { error_code: null, error: null, due_at: tx.now });
    tx.wakeAfterCommit({ hasOrders: true });
  },
  async end(tx, merchantId, id, reason) {
    const withdrawal = await lockWithdrawal(tx, { merchantId, id });
    if (withdrawal?.status === 'pending') await failWithdrawal(tx, withdrawal, reason);
  },
};
