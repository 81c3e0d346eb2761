export { connectBacen, mountNotices, noticePath } from './bacen/index.ts';
export {
  finishRows,
  type InboxRow,
  type Notice,
  type NoticeTaker,
  type PutOff,
  putOffNotices,
  storeAndTakeNotices,
  storeNotices,
  takeNotices,
  type WaitingNotice,
} from './inbox.ts';
export { pspJobs } from './jobs.ts';
export type {
  BankAccount,
  BankCharge,
  BankDispute,
  BankDisputes,
  BankPayout,
  BankReceivedPix,
  BankReturn,
  ChargeOrder,
  PayoutOrder,
  PixCharges,
  PixPayouts,
  PixRefunds,
  Psp,
  RefundOrder,
} from './psp.ts';
export { PspRefused, PspUnknown } from './psp.ts';
export { ensureWebhook, ForeignWebhook } from './register-webhook.ts';
