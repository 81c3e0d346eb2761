import type { OrderHooks } from '../approvals/index.ts';
import { endUnapprovedRefund, lockChargeOrPixOfRefund } from './settle-refund.ts';
import { findRefund, lockRefund, updateRefund } from './store.ts';

/** The effects of approvals on a refund. One that an approval released is proven again before it is sent. */
export const refundApprovalHooks: OrderHooks = {
  async lock(tx, merchantId, id) {
    const refund = await findRefund(tx.db, { merchantId, id });
    if (refund === undefined) return;
    await lockChargeOrPixOfRefund(tx, refund);
    await lockRefund(tx, refund);
  },
  async release(tx, merchantId, id) {
    const refund = await lockRefund(tx, { merchantId, id });
    if (refund.status !== 'processing' || refund.sendCount > 0) return;
    await updateRefund(tx, refund, { error_code: null, error: null, due_at: tx.now });
    tx.wakeAfterCommit({ hasOrders: true });
  },
  async end(tx, merchantId, id, { code, text }) {
    const refund = await findRefund(tx.db, { merchantId, id });
    if (refund !== undefined) await endUnapprovedRefund(tx, refund, code, text);
  },
};
