import type { ModuleJob, ModuleLoop } from '../deps.ts';
import { atHouse, lookInTurn } from '../psp/index.ts';
import { releaseReserves } from './credit-counters.ts';
import { expireCharges } from './end-charges.ts';
import { reconcilePayments, rereadReceived } from './reconcile-payments.ts';
import { removeAbandonedCharges } from './remove-abandoned-charges.ts';

export {
  chargeKeyOf,
  merchantIdFromIdEnvio,
  merchantIdFromStaticTxid,
  newChargeIds,
  newIdEnvio,
  newStaticTxid,
} from './bank-ids.ts';
export { billCustomer, hideCustomerDocument } from './billed-customer.ts';
export { parseChargeAmount } from './charge-amount.ts';
export { type ChargeOptions, checkSuccessUrl, readChargeOptions } from './charge-options.ts';
export { createFromRequest } from './create-from-request.ts';
export {
  canReceivePayments,
  createChargeAtBank,
  createPayment,
  type NewCharge,
  type PreparedCharge,
  prepareCharge,
  storeDebitCharge,
  storePreparedCharge,
} from './create-payment.ts';
export { creditAssignedPix } from './credit-counters.ts';
export { creditHeldPix, prepareToGiveBack } from './credit-held-pix.ts';
export { billedToFor, billedToResponse } from './due-terms.ts';
export { readDues } from './due-terms-store.ts';
export { cancelPayment, endCharges, expireCharges } from './end-charges.ts';
export {
  findHeldPix,
  findHeldPixOf,
  type HeldPixRecord,
  listDueToGiveBack,
  listHeldPix,
  postponeGivingBack,
  stopGivingBack,
  writeHeldDecision,
} from './held-store.ts';
export { listTransactions } from './list-transactions.ts';
export { inOwnBankPlace } from './own-bank-places.ts';
export { type Charge, checkoutUrl, formatBrl } from './payment.ts';
export { createNoticeProcessor, type NoticeProcessor } from './process-notices.ts';
export { chargeScreenMessage } from './publish-charge-events.ts';
export {
  lockReceivedPix,
  markPixAssigned,
  type PixOutcome,
  type ReceivedPix,
  readPayers,
  setPixOutcome,
} from './received-store.ts';
export { receivingAccountsOf } from './receiving-accounts.ts';
export { bookListedPix, rereadReceived } from './reconcile-payments.ts';
export {
  adjustRefundTotals,
  findRefundableCharge,
  findRefundableCharges,
  lockRefundableCharge,
  type RefundableCharge,
} from './refundable-charge.ts';
export { credentialOf, paymentRoutes } from './routes.ts';
export { settleReceived } from './settle-received.ts';
export {
  findCharge,
  findChargeByPageId,
  MADE_WITH_COUNTER_CODE,
  MADE_WITH_DASHBOARD,
  MADE_WITH_PAYMENT_LINK,
  MADE_WITH_READABLE_KEY,
} from './store.ts';

/** Recurring work of payments. Each loop returns how many items were due; above 0 it runs again without a pause. */
export const paymentLoops: readonly ModuleLoop[] = [
  { name: 'expiry', everyMs: 5000, work: expireCharges },
  { name: 'abandoned', everyMs: 15_000, work: removeAbandonedCharges },
  { name: 'reserves', everyMs: 15_000, work: releaseReserves },
  // Returns 0, because each run reads its window completely: an immediate repetition would find nothing.
  {
    name: 'reconciliation',
    everyMs: 20_000,
    work: (deps) => lookInTurn(deps, 'received', reconcilePayments).then(() => 0),
  },
];

/** Scheduled jobs of payments. Their odd minute keeps the gateway's nightly jobs from starting together. */
export const paymentJobs: readonly ModuleJob[] = [
  { name: 'reread-received', cron: '37 4 * * *', work: (deps) => rereadReceived(atHouse(deps)) },
];
