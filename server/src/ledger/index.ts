/*
 * The books. Money moves only by the entries that `movements` make and `post` writes; balances follow from the
 * entries.
 */
export { auditLedger, type LedgerDiscrepancy } from './audit.ts';
export {
  type Balances,
  readAvailable,
  readBalances,
  readBalancesAndObligations,
  readDayEndBalances,
  readObligations,
} from './balances.ts';
export { PLATFORM } from './chart-of-accounts.ts';
export { type LockedBalances, lockBalances } from './lock-balances.ts';
export * as movements from './movements.ts';
export { post, postBy } from './post.ts';
