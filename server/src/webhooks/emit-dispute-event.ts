import { brlFromCents, type DisputeEvent, type DisputeStatus } from '@jangada/contract';
import type { Tx } from '../db/transaction.ts';
import { eventIdOf } from './event-id.ts';
import { writeEvents } from './write-events.ts';

/** A dispute that was opened or resolved, as reported by webhook. Amounts in integer cents. */
export type DisputeChange = {
  readonly type: DisputeEvent['type'];
  readonly merchantId: number;
  readonly id: string;
  readonly chargeId: string | null;
  readonly endToEndId: string;
  readonly status: DisputeStatus;
  readonly disputedCents: number;
  /** The amount still blocked. */
  readonly blockedCents: number;
  readonly returnedCents: number;
  readonly deadlineAt: Date;
  readonly openedAt: Date;
};

/** Stores the event and writes its deliveries, to endpoints only. A dispute opens once and ends once. */
export async function emitDisputeEvent(tx: Tx, dispute: DisputeChange): Promise<void> {
  const { type, merchantId, id } = dispute;
  const body: DisputeEvent = {
    type,
    id,
    disputeId: id,
    paymentId: dispute.chargeId,
    end_to_end_id: dispute.endToEndId,
    status: dispute.status,
    amount: brlFromCents(dispute.disputedCents),
    blocked_amount: brlFromCents(dispute.blockedCents),
    returned_amount: brlFromCents(dispute.returnedCents),
    deadline: dispute.deadlineAt.toISOString(),
    created_at: dispute.openedAt.toISOString(),
    updated_at: tx.now.toISOString(),
  };
  const event = { merchantId, id: eventIdOf(id, type.replace('dispute.', '')), type, subjectId: id };
  await writeEvents(tx, [{ ...event, callbackUrl: null, body }]);
}
