import type { Deps } from '../deps.ts';
import { pollDisputes, recheckDisputes } from './poll-disputes.ts';
import { processDueDisputes } from './process-due-disputes.ts';

/** Work that disputes need done again and again. `work` answers how much it did; above 0 there may be more at once. */
export const disputeLoops: readonly {
  readonly name: string;
  readonly everyMs: number;
  readonly work: (deps: Deps) => Promise<number>;
  readonly sendsOrders?: true;
}[] = [
  // Answers 0: a window is read whole, the next one begins with time or with a hint.
  { name: 'disputes', everyMs: 2000, work: (deps) => pollDisputes(deps).then(() => 0) },
  { name: 'dispute-care', everyMs: 5000, work: processDueDisputes, sendsOrders: true },
];

/** Rare work of disputes. */
export const disputeJobs: readonly {
  readonly name: string;
  readonly cron: string;
  readonly work: (deps: Deps) => Promise<unknown>;
}[] = [{ name: 'reread-disputes', cron: '23 4 * * *', work: recheckDisputes }];
