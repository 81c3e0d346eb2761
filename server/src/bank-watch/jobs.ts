import type { Deps } from '../deps.ts';
import { compareBalance } from './compare-balance.ts';
import { reconcileDays } from './reconcile-days.ts';
import { watchBalance } from './watch-balance.ts';

/** `work` returns how much it did; above 0 there may be more, so it runs again at once. */
export const bankWatchLoops: readonly {
  readonly name: string;
  readonly everyMs: number;
  readonly work: (deps: Deps) => Promise<number>;
}[] = [
  // Frequent, so that a clock change is noticed; the bank is polled once a minute.
  { name: 'bank balance', everyMs: 5000, work: watchBalance },
  { name: 'bank days', everyMs: 60_000, work: reconcile },
];

/** Lists first: Pix booked from them are part of the balance. */
async function reconcile(deps: Deps): Promise<number> {
  return (await reconcileDays(deps)) || compareBalance(deps);
}
