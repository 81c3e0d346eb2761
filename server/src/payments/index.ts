import type { ModuleJob, ModuleLoop } from '../deps.ts';
import { releaseReserves } from './credit-counters.ts';
import { expireCharges } from './end-charges.ts';
import { reconcilePayments, rereadReceived } from './reconcile-payments.ts';

export {
  chargeKeyOf,
  merchantOfIdEnvio,
  merchantOfStaticTxid,
  newIdEnvio,
  newStaticTxid,
} from './bank-ids.ts';
export { type ChargeOptions, checkSuccessUrl, readChargeOptions } from './charge-options.ts';
export {
  checkedAmount,
  createPayment,
  mayReceive,
  type NewCharge,
  openAtBank,
  type PreparedCharge,
  prepareCharge,
  storePreparedCharge,
} from './create-payment.ts';
export { creditAssigned } from './credit-counters.ts';
export { expireCharges } from './end-charges.ts';
export { listTransactions } from './list-transactions.ts';
export { type Charge, checkoutUrl, formatBrl } from './payment.ts';
export { createNoticeProcessor, type NoticeProcessor } from './process-notices.ts';
export { chargeScreenMessage } from './publish-charge-events.ts';
export {
  lockReceivedPix,
  type PixOutcome,
  type ReceivedPix,
  readPayers,
  setAssigned,
  setOutcome,
} from './received-store.ts';
export { bookListedPix } from './reconcile-payments.ts';
export {
  changeRefunds,
  findRefundableCharge,
  lockRefundableCharge,
  type RefundableCharge,
} from './refunded-charge.ts';
export { paymentRoutes } from './routes.ts';
export { settleReceived } from './settle-received.ts';
export {
  COUNTER_CODE,
  findCharge,
  findChargeOfPage,
  PANEL,
  PAYMENT_LINK,
  READABLE_KEY,
} from './store.ts';

/** Recurring work of payments. Each loop returns how many items were due; above 0 it runs again without a pause. */
export const paymentLoops: readonly ModuleLoop[] = [
  { name: 'expiry', everyMs: 5000, work: expireCharges },
  { name: 'reserves', everyMs: 15_000, work: releaseReserves },
  // Returns 0, because each run reads its window completely: an immediate repetition would find nothing.
  { name: 'reconciliation', everyMs: 20_000, work: (deps) => reconcilePayments(deps).then(() => 0) },
];

/** Scheduled jobs of payments. */
export const paymentJobs: readonly ModuleJob[] = [
  { name: 'reread-received', cron: '37 4 * * *', work: rereadReceived },
];
