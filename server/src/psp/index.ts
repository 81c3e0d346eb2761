/*
 * The bank (PSP, payment service provider): its interface, and the adapters that implement it. The bank calls us about
 * payments (notices) and about payouts, returns and disputes (hints). Both are stored, and then looked up at the bank.
 */
export {
  type BankExchange,
  type GrantedToken,
  OWN_ACCOUNT_ITEMS_PER_PAGE,
  OWN_ACCOUNT_LIMITS,
  RefusedCredentials,
  RefusedResponse,
  UndecidedResponse,
} from './bacen/client.ts';
export { mountNotices, noticePath, ownAccountOf } from './bacen/notice-routes.ts';
export {
  type AtBank,
  atBank,
  atHouse,
  type Banks,
  type ConnectedBank,
  type Connection,
  createBanks,
  findAtBank,
  HOUSE_CONNECTION,
  offersOf,
} from './bank.ts';
export { bankAddressRules, isAllowedBankAddress } from './bank-address.ts';
export { findBusyBanks, stopTurns, takeTurn } from './bank-turns.ts';
export {
  type BankProbe,
  callbacksOf,
  connectBank,
  connectHouse,
  connectToCheck,
  connectUnusableBank,
} from './connect-bank.ts';
export {
  deferHints,
  findBanksWithDueHints,
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
  findConnectionsWithDueNotices,
  finishInboxRows,
  type InboxRow,
  type LeasedNotice,
  leaseNotices,
  type Notice,
  type NoticeSink,
  storeNotices,
} from './inbox.ts';
export { claimNotices, ensureNoticeUrl, ForeignWebhook, noticeUrl, pspJobs } from './jobs.ts';
export {
  type BankAddresses,
  type BankCredentials,
  findKnownBank,
  houseBank,
  type KnownBank,
  knownBanks,
  OTHER_BANK,
  pspConfigOf,
  recurringOf,
  toConnectableBank,
} from './known-banks.ts';
export { deleteLooks, expectAt, lookInTurn } from './looks.ts';
export {
  type BankAccount,
  type BankCharge,
  type BankDefence,
  type BankDispute,
  type BankDisputes,
  type BankHealth,
  type BankPayout,
  type BankReceivedPix,
  type BankReturn,
  type ChargeKind,
  type ChargeOrder,
  type DisputeLookupKey,
  type PayoutOrder,
  type PixCharges,
  type PixPayouts,
  type PixRefunds,
  type Psp,
  PspNotAsked,
  PspRefused,
  PspUnknown,
  type RefundOrder,
} from './psp.ts';
export type { BankDebit, BankEnd, BankMandate, PixRecurring } from './recurring.ts';
