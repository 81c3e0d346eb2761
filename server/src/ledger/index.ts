/*
 * The books. Only entries move money: `movements` makes them, and `post` writes them and updates the balances.
 */
export { auditLedger, type LedgerDiscrepancy } from './audit.ts';
export {
  type Balances,
  type MerchantBalances,
  readAvailable,
  readAvailableByAccount,
  readBalances,
  readDayEndBalances,
  readMerchantBalances,
  readObligations,
} from './balances.ts';
export { PLATFORM } from './chart-of-accounts.ts';
export { type LockedBalances, lockBalances } from './lock-balances.ts';
export type { LedgerEntry } from './movements.ts';
export * as movements from './movements.ts';
export { post, postThrough } from './post.ts';
