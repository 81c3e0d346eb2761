import { brlFromCents, type RefundFailedEvent } from '@jangada/contract';
import type { Tx } from '../db/transaction.ts';
import { eventIdOf } from './event-id.ts';
import { writeEvents } from './write-events.ts';

/** A refund that the bank did not make, as reported by webhook. Amounts in integer cents. */
export type FailedRefund = {
  readonly merchantId: number;
  readonly chargeId: string;
  readonly refund: { readonly id: string; readonly callerId: string | null; readonly amountCents: number };
  /** The reason, fit to show to users. */
  readonly error: string;
  readonly createdAt: Date;
};

/** Stores the event and writes its deliveries, to endpoints only: callback URLs never received this event. */
export async function emitRefundFailed(tx: Tx, failed: FailedRefund): Promise<void> {
  const { merchantId, chargeId, refund, error, createdAt } = failed;
  const body: RefundFailedEvent = {
    type: 'refund.failed',
    id: chargeId,
    paymentId: chargeId,
    refund: {
      id: refund.id,
      refund_id: refund.callerId,
      status: 'failed',
      amount: brlFromCents(refund.amountCents),
      error,
    },
    created_at: createdAt.toISOString(),
    updated_at: tx.now.toISOString(),
  };
  const id = eventIdOf(chargeId, `refund_failed_${refund.id.replaceAll('-', '')}`);
  await writeEvents(tx, [{ merchantId, id, type: body.type, subjectId: chargeId, callbackUrl: null, body }]);
}
