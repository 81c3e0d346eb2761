import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { dropHeldOlderThan, exhaustOlderThan } from './delivery-store.ts';
import { DELIVERY_LIFETIME_MS } from './retry-schedule.ts';

const atOnce = 1000;

/**
 * Gives up webhooks that waited too long for a paused or disabled endpoint. Returns the number; above 0 there may be
 * more.
 */
export async function expireOldDeliveries(deps: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  return inTransaction(deps, async (tx) => {
    const before = new Date(tx.now.getTime() - DELIVERY_LIFETIME_MS);
    return (await dropHeldOlderThan(tx, before, atOnce)) + (await exhaustOlderThan(tx, before, atOnce));
  });
}
