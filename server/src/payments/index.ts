export { type ChargeOptions, readChargeOptions } from './charge-options.ts';
export { checkSuccessUrl } from './check-success-url.ts';
export {
  checkedAmount,
  createPayment,
  insertPrepared,
  mayReceive,
  type NewCharge,
  openAtBank,
  type PreparedCharge,
  prepareCharge,
} from './create-payment.ts';
export { creditAssigned } from './credit-assigned.ts';
export { expireCharges } from './expire-charges.ts';
export { paymentJobs, paymentLoops } from './jobs.ts';
export { listTransactions } from './list-transactions.ts';
export {
  type Charge,
  checkoutUrl,
  formatBrl,
  merchantOfStaticTxid,
  merchantOfTxid,
  newStaticTxid,
  newTxid,
} from './payment.ts';
export { createNoticeProcessor, type NoticeProcessor } from './process-notices.ts';
export { chargeScreenMessage } from './publish-charge-events.ts';
export { bookListed } from './reconcile-payments.ts';
export {
  changeRefunds,
  findRefundableCharge,
  lockRefundableCharge,
  type RefundableCharge,
} from './refunded-charge.ts';
export { paymentRoutes } from './routes.ts';
export { settleReceived } from './settle-received.ts';
export { COUNTER_CODE, findCharge, PANEL, PAYMENT_LINK, READABLE_KEY, readPayers } from './store.ts';
