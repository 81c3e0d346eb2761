import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Delivery } from './delivery.ts';
import { deleteLeases } from './delivery-store.ts';
import { noteLaneChanges } from './lane-store.ts';

/** Ends the leases of deliveries that were not sent after all; their due times are unchanged. */
export async function releaseDeliveries(
  deps: Pick<Deps, 'db' | 'clock'>,
  deliveries: readonly Delivery[],
): Promise<void> {
  const since = new Date(Math.min(...deliveries.map(({ createdAt }) => createdAt.getTime())));
  await inTransaction(deps, async (tx) => {
    await deleteLeases(tx, deliveries);
    await noteLaneChanges(tx, deliveries, null);
    await noteLaneChanges(tx, deliveries, since);
  });
}
