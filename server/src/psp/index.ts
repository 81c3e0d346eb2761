export {
  finishNotices,
  type Notice,
  putOffNotices,
  storeNotices,
  takeNotices,
  type WaitingNotice,
} from './inbox.ts';
export type { BankCharge, BankReceivedPix, ChargeOrder, PixCharges } from './psp.ts';
export { PspRefused, PspUnknown } from './psp.ts';
