export type { BankExchange } from './bacen/client.ts';
export { mountNotices, noticePath } from './bacen/notice-routes.ts';
export { connectBank } from './connect-bank.ts';
export {
  deferHints,
  finishHints,
  type Hint,
  type LeasedHint,
  leaseHints,
  storeHints,
  storeReturnHints,
} from './hints.ts';
export {
  type DeferredNotice,
  deferNotices,
  finishRows,
  type InboxRow,
  type LeasedNotice,
  leaseNotices,
  type Notice,
  type NoticeSink,
  storeAndLeaseNotices,
  storeNotices,
} from './inbox.ts';
export { ensureNoticeUrl, ForeignWebhook, pspJobs } from './jobs.ts';
export {
  type BankAccount,
  type BankCharge,
  type BankDefence,
  type BankDispute,
  type BankDisputes,
  type BankPayout,
  type BankReceivedPix,
  type BankReturn,
  type ChargeOrder,
  type DisputeLookupKey,
  type PayoutOrder,
  type PixCharges,
  type PixPayouts,
  type PixRefunds,
  type Psp,
  PspRefused,
  PspUnknown,
  type RefundOrder,
} from './psp.ts';
