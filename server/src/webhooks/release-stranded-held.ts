import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { selectEndpointsWithStrandedHeld } from './endpoint-store.ts';
import { releaseHeld } from './manage-endpoints.ts';

const atOnce = 100;

/**
 * Releases deliveries still held for enabled endpoints: the rest of a large backlog, and those held by a process that
 * had seen the endpoint off. Returns the number of endpoints with more; deliveries being sent are left for the next
 * run.
 */
export async function releaseStrandedHeld(deps: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  const endpoints = await inTransaction(deps, (tx) => selectEndpointsWithStrandedHeld(tx, atOnce));
  let more = 0;
  for (const { merchantId, id } of endpoints)
    if (await inTransaction(deps, (tx) => releaseHeld(tx, merchantId, id))) more += 1;
  return more;
}
