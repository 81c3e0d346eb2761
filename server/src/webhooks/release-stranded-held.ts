import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { selectEndpointsWithStrandedHeld } from './endpoint-store.ts';
import { releaseHeld } from './manage-endpoints.ts';

const atOnce = 100;

/**
 * Releases deliveries that are held for endpoints that are on: what was too much when they were turned on, and what
 * somebody held who had seen them off. Answers how many endpoints have more; what is being sent is left for the next time.
 */
export async function releaseStrandedHeld(deps: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  const endpoints = await inTransaction(deps, (tx) => selectEndpointsWithStrandedHeld(tx, atOnce));
  let more = 0;
  for (const { merchantId, id } of endpoints)
    if (await inTransaction(deps, (tx) => releaseHeld(tx, merchantId, id))) more += 1;
  return more;
}
