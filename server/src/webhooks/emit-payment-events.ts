import { brlFromCents, type ChargeStatus, type Metadata, type PaymentEvent } from '@jangada/contract';
import type { Tx } from '../db/transaction.ts';
import { eventIdOf } from './event-id.ts';
import { writeEvents } from './write-events.ts';

/** A changed charge, as reported by webhook. Amounts in integer cents. */
export type PaymentChange = {
  readonly type: PaymentEvent['type'];
  readonly merchantId: number;
  readonly chargeId: string;
  readonly callbackUrl: string | null;
  /** The integrator's own id for the charge, and the metadata stored with it. */
  readonly externalId?: string | null;
  readonly metadata?: Metadata | null;
  readonly status: ChargeStatus;
  readonly amountCents: number;
  /** Only for a refund: the total refunded so far, and this refund. */
  readonly refundedCents?: number;
  readonly refund?: { readonly id: string; readonly callerId: string | null; readonly amountCents: number };
  readonly createdAt: Date;
};

/** Stores one event per change and writes its deliveries, in one statement. */
export async function emitPaymentEvents(tx: Tx, changes: readonly PaymentChange[]): Promise<void> {
  const now = tx.now.toISOString();
  await writeEvents(
    tx,
    changes.map((change) => ({
      merchantId: change.merchantId,
      id: eventId(change),
      type: change.type,
      subjectId: change.chargeId,
      callbackUrl: change.callbackUrl,
      body: bodyOf(change, now),
    })),
  );
}

/**
 * A charge reaches each status once and each refund happens once, so the id is unique: the database rejects a duplicate
 * event.
 */
function eventId({ chargeId, status, refund }: PaymentChange): string {
  return eventIdOf(chargeId, refund === undefined ? status : `refunded_${refund.id.replaceAll('-', '')}`);
}

function bodyOf(change: PaymentChange, now: string): PaymentEvent {
  return {
    type: change.type,
    id: change.chargeId,
    paymentId: change.chargeId,
    status: change.status,
    ...(change.externalId != null && { external_id: change.externalId }),
    ...(change.metadata != null && { metadata: { ...change.metadata } }),
    amount: brlFromCents(change.amountCents),
    ...(change.refundedCents === undefined ? {} : { refunded_amount: brlFromCents(change.refundedCents) }),
    ...(change.refund && {
      refund: {
        id: change.refund.id,
        refund_id: change.refund.callerId,
        amount: brlFromCents(change.refund.amountCents),
      },
    }),
    created_at: change.createdAt.toISOString(),
    updated_at: now,
  };
}
