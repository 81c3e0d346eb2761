import type { Tx } from '../db/transaction.ts';
import type { Charge } from './payment.ts';
import { publishChargeEvents } from './publish-charge-events.ts';
import { closeCharges } from './store.ts';

/** Ends those of the charges that are still open, and publishes it. `cancelledAt`: the merchant cancelled them. */
export async function endCharges(
  tx: Tx,
  charges: readonly Charge[],
  status: 'expired' | 'error',
  cancelledAt: Date | null = null,
): Promise<void> {
  if (charges.length === 0) return;
  const ended = await closeCharges(tx, charges, status, cancelledAt);
  await publishChargeEvents(
    tx,
    status,
    ended.map((charge) => ({ charge, paidAt: null })),
  );
}
