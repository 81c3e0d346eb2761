import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { exhaustOlderThan } from './delivery-store.ts';
import { DELIVERY_LIFETIME_MS } from './retry-schedule.ts';

const atOnce = 1000;

/** Gives up webhooks that an endpoint at rest kept waiting for too long. Answers how many; above 0 there may be more. */
export async function giveUpOldWebhooks(deps: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  return inTransaction(deps, (tx) =>
    exhaustOlderThan(tx, new Date(tx.now.getTime() - DELIVERY_LIFETIME_MS), atOnce),
  );
}
