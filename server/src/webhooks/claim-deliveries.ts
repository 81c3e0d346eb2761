import type { Tx } from '../db/transaction.ts';
import type { Delivery } from './delivery.ts';
import { type ClaimLimits, insertLeases, selectWaiting } from './delivery-store.ts';
import { fileClaim } from './file-claim.ts';
import { readLanes, readLoads, takeLaneChanges, waitForTurn } from './lane-store.ts';
import { chooseDeliveries, sharePlaces } from './share-places.ts';

export type ClaimedDeliveries = {
  readonly deliveries: readonly Delivery[];
  /** There may be more that is due, or more lanes to look at. */
  readonly more: boolean;
};

/**
 * Leases deliveries that are due until `leasedUntil`. Its cost follows what can be sent now and what changed, not what
 * waits for later, for a receiver that rests, or for a place:
 *
 * - Payments and ended attempts leave notes of the lanes that they concern. A claim looks at those lanes, and at lanes
 *   that are kept and due.
 * - A lane is kept only while something may wait in it that is not under way. What comes in for a receiver that takes
 *   it at once is found by its note, and no lane is written.
 * - A lane that rests, or has all its places taken, is not looked into, whatever comes in. The end of an attempt, or of
 *   the rest, makes it due.
 * - Merchants with lanes that are due take turns, whatever number of lanes each has.
 */
export async function claimDeliveries(
  tx: Tx,
  limits: ClaimLimits,
  leasedUntil: Date,
): Promise<ClaimedDeliveries> {
  await waitForTurn(tx);
  const changes = await takeLaneChanges(tx);
  const lanes = await readLanes(tx, changes, limits);
  if (lanes.length === 0) return { deliveries: [], more: changes.more };
  const loads = await readLoads(tx, [...new Set(lanes.map((lane) => lane.merchantId))]);
  const shared = sharePlaces(lanes, loads, limits, tx.now);
  const open = shared.filter(({ places }) => places > 0);
  const waiting = open.length === 0 ? [] : await selectWaiting(tx, open);
  const chosen = chooseDeliveries(waiting, shared, limits, tx.now);
  if (chosen.length > 0) await insertLeases(tx, chosen, leasedUntil);
  const left = await fileClaim(tx, { lanes: shared, waiting, chosen, leasedUntil }, limits);
  return {
    deliveries: chosen.map(({ dueAt: _, ...delivery }) => ({ ...delivery, leasedUntil })),
    more: changes.more || left || chosen.length === limits.deliveries,
  };
}
