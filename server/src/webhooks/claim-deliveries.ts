import type { Tx } from '../db/transaction.ts';
import type { Delivery } from './delivery.ts';
import { type ClaimLimits, leaseDue } from './delivery-store.ts';
import { fileLaneChanges, refileLanes, selectDueLanes, waitForTurn } from './lane-store.ts';

export type Claim = {
  readonly deliveries: readonly Delivery[];
  /** There may be more that is due, or more lanes to look at. */
  readonly more: boolean;
};

/**
 * Leases deliveries that are due until `leasedUntil`. Its cost follows what is due and what changed, not what waits for
 * later: only lanes that are due are looked at, and each is then put off until there is something to do for it.
 */
export async function claimDeliveries(tx: Tx, limits: ClaimLimits, leasedUntil: Date): Promise<Claim> {
  await waitForTurn(tx);
  const moreChanges = await fileLaneChanges(tx);
  const lanes = await selectDueLanes(tx, limits);
  if (lanes.length === 0) return { deliveries: [], more: moreChanges };
  const deliveries = await leaseDue(tx, lanes, limits, leasedUntil);
  await refileLanes(tx, lanes, limits);
  const served = new Set(deliveries.map(({ merchantId, endpoint }) => `${merchantId} ${endpoint}`));
  const crowded = served.size < lanes.length && lanes.length >= limits.perMerchant;
  return { deliveries, more: moreChanges || crowded || deliveries.length === limits.deliveries };
}
