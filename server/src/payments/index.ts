export { createPayment, type NewCharge } from './create-payment.ts';
export { creditAssigned } from './credit-assigned.ts';
export { paymentJobs, paymentLoops } from './jobs.ts';
export { listTransactions } from './list-transactions.ts';
export { formatBrl, merchantOfTxid, newTxid } from './payment.ts';
export { bookListed } from './reconcile-payments.ts';
export {
  changeRefunds,
  findRefundableCharge,
  lockRefundableCharge,
  type RefundableCharge,
} from './refunded-charge.ts';
export { paymentRoutes } from './routes.ts';
export { settleReceived } from './settle-received.ts';
export { findCharge, PANEL, READABLE_KEY, readPayers } from './store.ts';
export { changeMessage } from './tell-change.ts';
export { createNoticeWork, type NoticeWork } from './work-notices.ts';
