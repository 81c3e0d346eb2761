import type { Deps } from '../deps.ts';
import { lookUpWithdrawals } from './look-up-withdrawals.ts';
import { reconcileWithdrawals, rereadWithdrawals } from './reconcile-withdrawals.ts';
import { sendWithdrawals } from './send-withdrawals.ts';

/** Work that withdrawals need done again and again. `work` answers how much it did; above 0 there may be more at once. */
export const withdrawalLoops: readonly {
  readonly name: string;
  readonly everyMs: number;
  readonly sendsOrders?: true;
  readonly work: (deps: Deps) => Promise<number>;
}[] = [
  { name: 'withdrawals', everyMs: 1000, sendsOrders: true, work: sendWithdrawals },
  { name: 'withdrawal look-ups', everyMs: 1000, work: lookUpWithdrawals },
  // Answers 0: a window is read whole, the next one begins with time.
  { name: 'sent Pix', everyMs: 30_000, work: (deps) => reconcileWithdrawals(deps).then(() => 0) },
];

/** Rare work of withdrawals. */
export const withdrawalJobs: readonly {
  readonly name: string;
  readonly cron: string;
  readonly work: (deps: Deps) => Promise<unknown>;
}[] = [{ name: 'reread-sent', cron: '7 5 * * *', work: rereadWithdrawals }];
