import type { SubscriptionEnd } from '@jangada/contract';
import type { Tx } from '../db/transaction.ts';
import { listCycles, updateCycle } from './cycle-store.ts';
import { notificationTexts, publishSubscription } from './publish.ts';
import { updateSubscription } from './store.ts';
import { hasEnded, type StoredMandate, type StoredSubscription } from './subscription.ts';

/** More cycles than this are never under way at once. */
const maxOpenCycles = 10;

/**
 * Ends a subscription that the caller has locked: no more cycles follow, and those under way are taken back where that is
 * still possible.
 */
export async function endSubscription(
  tx: Tx,
  subscription: StoredSubscription,
  mandate: Pick<StoredMandate, 'status' | 'endCode'>,
  reason: SubscriptionEnd,
): Promise<void> {
  if (subscription.status === 'ended') return;
  await updateSubscription(tx, subscription, {
    status: 'ended',
    end_reason: reason,
    ended_at: tx.now,
    plan_at: null,
  });
  for (const cycle of await listCycles(tx.db, subscription, { limit: maxOpenCycles })) {
    if (hasEnded(cycle)) continue;
    const cancelBecause =
      cycle.cancelBecause ?? (reason === 'by_merchant' ? 'subscription_ended' : undefined);
    await updateCycle(tx, cycle, {
      check_at: tx.now,
      checks: 0,
      ...(cancelBecause !== undefined && { cancel_because: cancelBecause }),
    });
  }
  const ended = { ...subscription, status: 'ended' as const, endReason: reason };
  const isNews = reason !== 'by_merchant' && reason !== 'finished';
  await publishSubscription(
    tx,
    'subscription.ended',
    { subscription: ended, mandate },
    {
      ...(isNews && { text: notificationTexts.ended(subscription) }),
    },
  );
}
