import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { deleteLostDevices, deleteOldDeliveries } from './delivery-store.ts';

const dayMs = 24 * 3_600_000;
// Opening the panel refreshes its device every 7 days.
const unusedMs = 60 * dayMs;
const failingMs = 14 * dayMs;
const waitedMs = 2 * dayMs;

/**
 * Deletes devices on which nobody opens the panel any more, unreachable devices, and deliveries that waited too long.
 */
export async function prunePushDevices(deps: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  await inTransaction(deps, async (tx) => {
    const before = (milliseconds: number) => new Date(tx.now.getTime() - milliseconds);
    await deleteLostDevices(tx, { unusedSince: before(unusedMs), failingSince: before(failingMs) });
    await deleteOldDeliveries(tx, before(waitedMs));
  });
}
