import type { Tx } from '../db/transaction.ts';
import type { Delivery } from './delivery.ts';
import { type ClaimLimits, insertLeases, selectWaiting } from './delivery-store.ts';
import { fileClaim } from './file-claim.ts';
import { readLanes, readLoads, takeLaneChanges, waitForTurn } from './lane-store.ts';
import { chooseDeliveries, sharePlaces } from './share-places.ts';

export type ClaimedDeliveries = {
  readonly deliveries: readonly Delivery[];
  /** More deliveries may be due, or more lanes may need checking. */
  readonly more: boolean;
};

/**
 * Leases due deliveries until `leasedUntil`. The cost depends on what can be sent now and what changed, not on the
 * backlog that waits for a later time, a paused receiver or a free slot:
 *
 * - Payments and ended attempts record changes for their lanes. A claim checks these lanes and the stored lanes that
 *   are due.
 * - A lane is stored only while it may contain a waiting delivery that is not in progress. A new delivery to a receiver
 *   that can take it at once is found by its change, without a lane being written.
 * - A lane that is paused or has no free slot is not read, whatever arrives. The end of an attempt or of the pause
 *   makes it due.
 * - Merchants with due lanes take turns, however many lanes each has.
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
