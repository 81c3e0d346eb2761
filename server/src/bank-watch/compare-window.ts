import type { Deps } from '../deps.ts';
import { compareReceived } from './compare-received.ts';
import { compareSent } from './compare-sent.ts';
import type { ComparisonProgress } from './day-store.ts';

/** Part of a day, the second moment left out. */
export type DayWindow = { readonly day: string; readonly from: Date; readonly until: Date };

export type Found = Omit<ComparisonProgress, 'until' | 'startedAt'>;

/**
 * Holds the bank's lists of a window against our books. What is missing here is booked; whatever else differs stands
 * before the operator. Both lists are read page by page: only where their sums differ are the bank's ids kept, to find
 * what it does not list.
 */
export async function compareWindow(deps: Deps, window: DayWindow): Promise<Found> {
  const received = await compareReceived(deps, window);
  const sent = deps.psp.payouts === undefined ? nothing : await compareSent(deps, deps.psp.payouts, window);
  return {
    receivedCents: received.receivedCents,
    returnedCents: received.returnedCents,
    sentCents: sent.sentCents,
    differences: received.differences + sent.differences,
  };
}

const nothing = { sentCents: 0, differences: 0 };
