import type { Deps } from '../deps.ts';
import { compareBalance } from './compare-balance.ts';
import { reconcileDays } from './reconcile-days.ts';
import { watchBalance } from './watch-balance.ts';

/** `work` answers how much it did; above 0 there may be more at once. */
export const bankWatchLoops: readonly {
  readonly name: string;
  readonly everyMs: number;
  readonly work: (deps: Deps) => Promise<number>;
}[] = [
  // Often, so that a clock that was moved is noticed; the bank is asked once a minute.
  { name: 'bank balance', everyMs: 5000, work: watchBalance },
  { name: 'bank days', everyMs: 60_000, work: reconcile },
];

/** The lists first: what they bring here is part of the balance. */
async function reconcile(deps: Deps): Promise<number> {
  return (await reconcileDays(deps)) || compareBalance(deps);
}
