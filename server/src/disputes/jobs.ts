import type { Deps } from '../deps.ts';
import { pollDisputes, recheckDisputes } from './poll-disputes.ts';
import { processDueDisputes } from './process-due-disputes.ts';

/** Recurring work of disputes. `work` returns how much it did; above 0 there may be more, so it runs again at once. */
export const disputeLoops: readonly {
  readonly name: string;
  readonly everyMs: number;
  readonly work: (deps: Deps) => Promise<number>;
  readonly sendsOrders?: true;
}[] = [
  // Returns 0: each run reads its whole window; the next one opens with time or on a hint.
  { name: 'disputes', everyMs: 2000, work: (deps) => pollDisputes(deps).then(() => 0) },
  { name: 'dispute-care', everyMs: 5000, work: processDueDisputes, sendsOrders: true },
];

/** Scheduled jobs of disputes. */
export const disputeJobs: readonly {
  readonly name: string;
  readonly cron: string;
  readonly work: (deps: Deps) => Promise<unknown>;
}[] = [{ name: 'reread-disputes', cron: '23 4 * * *', work: recheckDisputes }];
