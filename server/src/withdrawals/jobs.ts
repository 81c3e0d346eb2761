import type { Deps } from '../deps.ts';
import { lookUpWithdrawals } from './look-up-withdrawals.ts';
import { reconcileWithdrawals, rereadWithdrawals } from './reconcile-withdrawals.ts';
import { sendWithdrawals } from './send-withdrawals.ts';

/**
 * Recurring work of withdrawals. `work` returns how much it did; above 0 there may be more, so it runs again at once.
 */
export const withdrawalLoops: readonly {
  readonly name: string;
  readonly everyMs: number;
  readonly sendsOrders?: true;
  readonly work: (deps: Deps) => Promise<number>;
}[] = [
  { name: 'withdrawals', everyMs: 1000, sendsOrders: true, work: sendWithdrawals },
  { name: 'withdrawal look-ups', everyMs: 1000, work: lookUpWithdrawals },
  // Returns 0: each run reads its whole window, and the next window opens only with time.
  { name: 'sent Pix', everyMs: 30_000, work: (deps) => reconcileWithdrawals(deps).then(() => 0) },
];

/** Scheduled jobs of withdrawals. */
export const withdrawalJobs: readonly {
  readonly name: string;
  readonly cron: string;
  readonly work: (deps: Deps) => Promise<unknown>;
}[] = [{ name: 'reread-sent', cron: '7 5 * * *', work: rereadWithdrawals }];
