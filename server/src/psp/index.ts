export type { BankExchange } from './bacen/client.ts';
export { mountNotices, noticePath } from './bacen/notice-routes.ts';
export { connectBank } from './connect-bank.ts';
export {
  deferHints,
  finishHints,
  type Hint,
  storeHints,
  storeReturnHints,
  type TakenHint,
  takeHints,
} from './hints.ts';
export {
  type DeferredNotice,
  deferNotices,
  finishRows,
  type InboxRow,
  type Notice,
  type NoticeSink,
  storeAndTakeNotices,
  storeNotices,
  takeNotices,
  type WaitingNotice,
} from './inbox.ts';
export { pspJobs } from './jobs.ts';
export type {
  BankAccount,
  BankCharge,
  BankDefence,
  BankDispute,
  BankDisputes,
  BankPayout,
  BankReceivedPix,
  BankReturn,
  ChargeOrder,
  DisputeName,
  PayoutOrder,
  PixCharges,
  PixPayouts,
  PixRefunds,
  Psp,
  RefundOrder,
} from './psp.ts';
export { PspRefused, PspUnknown } from './psp.ts';
export { ensureWebhook, ForeignWebhook } from './register-webhook.ts';
