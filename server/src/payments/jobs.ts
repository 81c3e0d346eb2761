import type { Deps } from '../deps.ts';
import { expireCharges } from './expire-charges.ts';
import { reconcilePayments, rereadReceived } from './reconcile-payments.ts';
import { releaseReserves } from './release-reserves.ts';

/** Work that payments need done again and again. `work` answers how much it did; above 0 there may be more at once. */
export const paymentLoops: readonly {
  readonly name: string;
  readonly everyMs: number;
  readonly work: (deps: Deps) => Promise<number>;
}[] = [
  { name: 'expiry', everyMs: 5000, work: expireCharges },
  { name: 'reserves', everyMs: 15_000, work: releaseReserves },
  // Answers 0: a window is read whole, the next one begins with time.
  { name: 'reconciliation', everyMs: 20_000, work: (deps) => reconcilePayments(deps).then(() => 0) },
];

/** Rare work of payments. */
export const paymentJobs: readonly {
  readonly name: string;
  readonly cron: string;
  readonly work: (deps: Deps) => Promise<unknown>;
}[] = [{ name: 'reread-received', cron: '37 4 * * *', work: rereadReceived }];
