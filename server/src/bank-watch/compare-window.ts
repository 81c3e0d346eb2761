import type { Deps } from '../deps.ts';
import { compareReceived } from './compare-received.ts';
import { compareSent } from './compare-sent.ts';
import type { ComparisonProgress } from './day-store.ts';

/** Part of a day; `until` is exclusive. */
export type DayWindow = { readonly day: string; readonly from: Date; readonly until: Date };

export type Found = Omit<ComparisonProgress, 'until' | 'startedAt'>;

/**
 * Compares the bank's lists of a window with our records. Missing Pix are booked; other differences go to the
 * operator. Both lists are read page by page; the bank's ids are kept only if the sums differ, to find what it does
 * not list.
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
