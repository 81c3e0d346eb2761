import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { selectForgottenHeld } from './endpoint-store.ts';
import { releaseHeld } from './manage-endpoints.ts';

const atOnce = 100;

/**
 * Releases deliveries that were held for an endpoint by somebody who had seen it off while it was turned on. What is
 * being sent is left for the next time, so this is never more than one round.
 */
export async function releaseForgotten(deps: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  return inTransaction(deps, async (tx) => {
    const endpoints = await selectForgottenHeld(tx, atOnce);
    for (const { merchantId, id } of endpoints) await releaseHeld(tx, merchantId, id);
    return 0;
  });
}
