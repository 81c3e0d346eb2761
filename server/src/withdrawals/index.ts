import type { Deps, ModuleJob, ModuleLoop } from '../deps.ts';
import { atHouse, findBanksWithDueHints, lookInTurn, takeTurn } from '../psp/index.ts';
import { findBanksToLookUpAt, findBanksToSendFrom } from './due-store.ts';
import { reconcileWithdrawals, rereadSentPixList } from './reconcile-withdrawals.ts';
import { lookUpWithdrawals, sendWithdrawals } from './send-withdrawals.ts';

export { withdrawalApprovalHooks } from './approval-hooks.ts';
export { storeDestination } from './destinations.ts';
export { holdPerson, holdWithdrawals } from './hold-withdrawals.ts';
export { rereadSentPixList } from './reconcile-withdrawals.ts';
export { requestWithdrawal } from './request-withdrawal.ts';
export { withdrawalRoutes } from './routes.ts';
export { lookUpWithdrawals, sendWithdrawals } from './send-withdrawals.ts';
export { readPinState, storePin } from './set-pin.ts';
export {
  type PayoutState,
  readPayoutState,
  resumeAtOwnAccount,
  resumePayouts,
  stopPayouts,
} from './stop-and-resume-payouts.ts';
export { makeWithdrawalsDueAfterUnfreeze } from './store.ts';
export { validatePayee, validateWithdrawal } from './validate-withdrawal.ts';
export { verifyPin } from './verify-pin.ts';

/** Recurring work of withdrawals. */
export const withdrawalLoops: readonly ModuleLoop[] = [
  {
    name: 'withdrawals',
    everyMs: 1000,
    sendsOrders: true,
    work: async (deps) =>
      takeTurn(deps, 'withdrawals', sendWithdrawals, await findBanksToSendFrom(deps.db, deps.clock.now())),
  },
  { name: 'withdrawal look-ups', everyMs: 1000, work: lookUpWhereDue },
  // Returns 0 (no work is left), because each run reads the bank's list completely: an immediate repetition would find
  // nothing.
  {
    name: 'sent Pix',
    everyMs: 30_000,
    work: (deps) => lookInTurn(deps, 'sent', reconcileWithdrawals).then(() => 0),
  },
];

/** Scheduled jobs of withdrawals. Their odd minute keeps the gateway's nightly jobs from starting together. */
export const withdrawalJobs: readonly ModuleJob[] = [
  { name: 'reread-sent', cron: '7 5 * * *', work: (deps) => rereadSentPixList(atHouse(deps)) },
];

async function lookUpWhereDue(deps: Deps): Promise<number> {
  const [due, hinted] = await Promise.all([
    findBanksToLookUpAt(deps.db, deps.clock.now()),
    findBanksWithDueHints(deps, 'payout'),
  ]);
  return takeTurn(deps, 'withdrawal look-ups', lookUpWithdrawals, [...new Set([...due, ...hinted])]);
}
