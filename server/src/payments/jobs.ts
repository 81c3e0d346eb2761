import type { Deps } from '../deps.ts';
import { expireCharges } from './expire-charges.ts';
import { reconcilePayments, rereadReceived } from './reconcile-payments.ts';
import { releaseReserves } from './release-reserves.ts';

/** Recurring work of payments. `work` returns how much it did; above 0 there may be more, so it runs again at once. */
export const paymentLoops: readonly {
  readonly name: string;
  readonly everyMs: number;
  readonly work: (deps: Deps) => Promise<number>;
}[] = [
  { name: 'expiry', everyMs: 5000, work: expireCharges },
  { name: 'reserves', everyMs: 15_000, work: releaseReserves },
  // Returns 0: each run reads its whole window, and the next window opens only with time.
  { name: 'reconciliation', everyMs: 20_000, work: (deps) => reconcilePayments(deps).then(() => 0) },
];

/** Scheduled jobs of payments. */
export const paymentJobs: readonly {
  readonly name: string;
  readonly cron: string;
  readonly work: (deps: Deps) => Promise<unknown>;
}[] = [{ name: 'reread-received', cron: '37 4 * * *', work: rereadReceived }];
