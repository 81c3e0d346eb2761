/*
 * Compares the bank's balance and its lists of Pix with our books. Missing Pix are booked; every other difference
 * becomes an open item, which the operator examines.
 */
import type { ModuleLoop } from '../deps.ts';
import { type AtBank, HOUSE_CONNECTION, lookInTurn } from '../psp/index.ts';
import { compareBalance } from './compare-balance.ts';
import { reconcileDays } from './reconcile-days.ts';
import { watchBalance } from './watch-balance.ts';

export { findBookedPix, findBookedRefunds } from './booked-store.ts';
export { kindsThatStopPayouts } from './close-item.ts';
export { readSetupTime } from './day-store.ts';
export { isBusinessOfMerchant } from './foreign-payout.ts';
export { closeItem, type ItemClosure, type NewOpenItem, type OpenItemKind, openItem } from './open-item.ts';
export { reconcileDay } from './reconcile-days.ts';
export { bankWatchRoutes } from './routes.ts';
export {
  isBankBalanceUnknown,
  isBankBalanceUnknownForDisplay,
  refuseLowBankBalance,
  watchBalance,
} from './watch-balance.ts';

/** Recurring comparisons with the bank. */
export const bankWatchLoops: readonly ModuleLoop[] = [
  // Runs often, to notice early when the clock was changed; the bank itself is polled only when a poll is due.
  { name: 'bank balance', everyMs: 5000, work: watchBalance },
  { name: 'bank days', everyMs: 60_000, work: (deps) => lookInTurn(deps, 'days', reconcile) },
];

/**
 * Compares the lists before the balance, because missing Pix are booked from the lists and change the balance. Only the
 * operator's own account holds a balance that the books know.
 */
async function reconcile(deps: AtBank): Promise<number> {
  const comparedCount = await reconcileDays(deps);
  const isHouse = deps.connection.id === HOUSE_CONNECTION;
  return comparedCount > 0 || !isHouse ? comparedCount : compareBalance(deps);
}
