/*
 * Disputes: payers' claims for their money back through MED, the banks' special return mechanism. The bank decides
 * them; until then the disputed money is blocked.
 */
import type { ModuleJob, ModuleLoop } from '../deps.ts';
import { atHouse, findBanksWithDueHints, lookInTurn, takeTurn } from '../psp/index.ts';
import { findBanksWithDueDisputes } from './due-store.ts';
import { pollDisputes, rereadDisputeList } from './poll-disputes.ts';
import { processDueDisputes } from './process-due-disputes.ts';

export {
  allocateBankReturn,
  type BankInitiatedReturn,
  type ReturnAllocation,
} from './allocate-bank-return.ts';
export { type BlockedRefund, blockFailedRefund } from './block-failed-refund.ts';
export { defendDispute } from './defend-dispute.ts';
export { pollDisputes, rereadDisputeList } from './poll-disputes.ts';
export { processDueDisputes } from './process-due-disputes.ts';
export { disputeRoutes } from './routes.ts';
export { listDisputes } from './store.ts';

/** Recurring work of disputes. */
export const disputeLoops: readonly ModuleLoop[] = [
  // Returns 0 (no work is left), because each run reads the bank's whole list since the last poll.
  {
    name: 'disputes',
    everyMs: 2000,
    work: async (deps) => {
      await lookInTurn(deps, 'disputes', pollDisputes, await findBanksWithDueHints(deps, 'dispute'));
      return 0;
    },
  },
  {
    name: 'dispute-care',
    everyMs: 5000,
    work: async (deps) =>
      takeTurn(
        deps,
        'dispute-care',
        processDueDisputes,
        await findBanksWithDueDisputes(deps.db, deps.clock.now()),
      ),
    sendsOrders: true,
  },
];

/** Scheduled jobs of disputes. */
export const disputeJobs: readonly ModuleJob[] = [
  { name: 'reread-disputes', cron: '23 4 * * *', work: (deps) => rereadDisputeList(atHouse(deps)) },
];
