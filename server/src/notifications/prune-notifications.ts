import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';

const keptMs = 180 * 24 * 3_600_000;

/** Deletes notifications that are half a year old. */
export async function pruneNotifications(deps: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  await inTransaction(deps, (tx) =>
    tx.db
      .deleteFrom('notifications')
      .where('created_at', '<', new Date(tx.now.getTime() - keptMs))
      .execute(),
  );
}
