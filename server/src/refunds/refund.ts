import type { Refund, RefundStatus } from '@jangada/contract';
import { brlFromCents, RETURN_DAYS } from '@jangada/contract';
import type { MoneyOrder } from '../approvals/index.ts';
import type { BankOrder } from '../bank-orders.ts';
import type { RefundableCharge } from '../payments/index.ts';
import type { RefundOrder } from '../psp/index.ts';
import { randomText } from '../random-text.ts';
import { Refusal } from '../refusal.ts';

/**
 * A refund as stored: money of a received Pix that goes back to its payer, either requested by a merchant or the
 * operator, or returned by the bank on its own. Amounts in integer cents.
 */
export type StoredRefund = BankOrder & {
  /** The platform (0) for a Pix that no merchant owns. */
  readonly merchantId: number;
  readonly chargeId: string | null;
  /** The nationwide identifier of the received Pix. */
  readonly endToEndId: string;
  /** The id that the caller chose for the refund; null if the caller chose none. */
  readonly externalId: string | null;
  /** The requested amount; null if the caller requested all that was left. */
  readonly requestedCents: number | null;
  /** Our id of the refund at the bank; the bank's id for a return that the bank made on its own. */
  readonly bankRefundId: string;
  /** The nationwide identifier of the return. */
  readonly rtrId: string | null;
  readonly origin: Refund['origin'];
  /** The person who asked for it in the dashboard; null if nobody did there. */
  readonly madeBy: number | null;
  readonly status: RefundStatus;
  readonly amountCents: number;
  readonly reason: string;
  readonly errorCode: string | null;
  readonly error: string | null;
  readonly createdAt: Date;
  readonly completedAt: Date | null;
};

/** The refund as the order that other people approve. */
export function moneyOrderOf({
  merchantId,
  id,
  connectionId,
  amountCents,
  endToEndId,
  bankRefundId,
  origin,
  madeBy,
}: StoredRefund): MoneyOrder {
  return {
    kind: 'refund',
    merchantId,
    id,
    connectionId,
    amountCents,
    feeCents: 0,
    to: { endToEndId },
    bankOrderId: bankRefundId,
    isByKey: origin === 'api',
    madeBy,
  };
}

const refundWindowMs = RETURN_DAYS * 86_400_000;

export function refundableUntil(paidAt: Date): Date {
  return new Date(paidAt.getTime() + refundWindowMs);
}

/** The part of a charge that is neither refunded nor being refunded. */
export function refundableCents({ amountCents, refundedCents, refundingCents }: RefundableCharge): number {
  return amountCents - refundedCents - refundingCents;
}

/** Reasons against a refund that the charge itself does not show. */
export type RefundBlockers = {
  /** The Pix has an open dispute, or a lost one for which the bank may still take money. */
  readonly inDispute: boolean;
  /** The merchant owes money for any dispute: a shortfall (an amount that could not be blocked) or a debt. */
  readonly hasObligation: boolean;
};

/** Returns the refusal if the charge may not be refunded now; undefined if it may. */
export function refundRefusal(
  charge: RefundableCharge,
  blockers: RefundBlockers,
  now: Date,
): Refusal | undefined {
  if (charge.paidAt === null) return new Refusal('REFUND_NOT_PAID');
  if (refundableCents(charge) === 0) return nothingLeftRefusal(charge);
  if (now > refundableUntil(charge.paidAt)) return new Refusal('REFUND_TOO_LATE');
  if (blockers.inDispute) return new Refusal('PAYMENT_IN_DISPUTE');
  return blockers.hasObligation ? new Refusal('DISPUTE_SHORTFALL') : undefined;
}

function nothingLeftRefusal({ refundingCents }: RefundableCharge): Refusal {
  const message =
    refundingCents === 0
      ? 'Este pagamento já foi estornado por inteiro.'
      : 'O que resta deste pagamento já está sendo estornado.';
  return new Refusal('REFUND_EXCEEDS_PAYMENT', { message, details: { refundable: 0 } });
}

/** Creates an id for a refund at the bank: 32 random letters and digits, so that no two refunds share one. */
export function newBankRefundId(): string {
  return randomText(32);
}

/** Returns the order that is sent to the bank for a refund. A Pix return has room for a note of 140 characters. */
export function toRefundOrder({ endToEndId, bankRefundId, amountCents, reason }: StoredRefund): RefundOrder {
  return { endToEndId, refundId: bankRefundId, amountCents, note: reason.slice(0, 140) };
}

/** The values of the order fields for a refund that was never sent to the bank. */
export const unsentOrderFields = {
  sendCount: 0,
  lookupCount: 0,
  notFoundCount: 0,
  lastSentAt: null,
  unknownSince: null,
} as const;

/** Converts a refund to the API's form. */
export function toRefundResponse(refund: StoredRefund): Refund {
  return {
    id: refund.id,
    refund_id: refund.externalId,
    payment_id: refund.chargeId ?? '',
    status: refund.status,
    amount: brlFromCents(refund.amountCents),
    reason: refund.reason,
    origin: refund.origin,
    error: refund.error,
    ...(refund.errorCode === 'APPROVAL_WAITING' && { awaits_approval: true }),
    rtr_id: refund.rtrId,
    created_at: refund.createdAt.toISOString(),
    completed_at: refund.completedAt?.toISOString() ?? null,
  };
}
