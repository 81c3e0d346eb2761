import type { Refund, RefundStatus } from '@jangada/contract';
import { brlFromCents, REFUND_DAYS } from '@jangada/contract';
import type { BankOrder } from '../bank-orders.ts';
import type { RefundableCharge } from '../payments/index.ts';
import type { RefundOrder } from '../psp/index.ts';
import { randomText } from '../random-text.ts';
import { Refusal } from '../refusal.ts';

/** A refund as stored. Amounts in integer cents. */
export type StoredRefund = BankOrder & {
  /** 0 for an unclaimed Pix. */
  readonly merchantId: number;
  readonly chargeId: string | null;
  readonly endToEndId: string;
  /** The caller's own id, and the amount requested under it; null: all that was left. */
  readonly callerId: string | null;
  readonly askedCents: number | null;
  readonly bankRefundId: string;
  readonly rtrId: string | null;
  readonly origin: Refund['origin'];
  readonly status: RefundStatus;
  readonly amountCents: number;
  readonly reason: string;
  readonly error: string | null;
  readonly createdAt: Date;
  readonly completedAt: Date | null;
};

const windowMs = REFUND_DAYS * 86_400_000;

export function refundableUntil(paidAt: Date): Date {
  return new Date(paidAt.getTime() + windowMs);
}

/** The part of a charge that is neither refunded nor being refunded. */
export function refundableCents({ amountCents, refundedCents, refundingCents }: RefundableCharge): number {
  return amountCents - refundedCents - refundingCents;
}

/** What besides the charge decides whether it may be refunded. */
export type RefundBlockers = {
  /** The payer currently disputes the Pix at the bank. */
  readonly inDispute: boolean;
  /** The merchant has a dispute shortfall or debt. */
  readonly claimed: boolean;
};

/** Why a charge may not be refunded now; undefined if it may. */
export function refundRefusal(
  charge: RefundableCharge,
  standing: RefundBlockers,
  now: Date,
): Refusal | undefined {
  if (charge.paidAt === null) return new Refusal('REFUND_NOT_PAID');
  if (refundableCents(charge) === 0) return nothingLeft(charge);
  if (now > refundableUntil(charge.paidAt)) return new Refusal('REFUND_TOO_LATE');
  if (standing.inDispute) return new Refusal('PAYMENT_IN_DISPUTE');
  return standing.claimed ? new Refusal('DISPUTE_SHORTFALL') : undefined;
}

function nothingLeft({ refundingCents }: RefundableCharge): Refusal {
  const message =
    refundingCents === 0
      ? 'Este pagamento já foi estornado por inteiro.'
      : 'O que resta deste pagamento já está sendo estornado.';
  return new Refusal('REFUND_EXCEEDS_PAYMENT', { message, details: { refundable: 0 } });
}

/** The id of a refund at the bank: 32 random letters and digits, so that it is unique. */
export function newBankRefundId(): string {
  return randomText(32);
}

export function orderOf({ endToEndId, bankRefundId, amountCents, reason }: StoredRefund): RefundOrder {
  return { endToEndId, refundId: bankRefundId, amountCents, note: reason.slice(0, 140) };
}

/** A refund that no order has left for yet. */
export const neverSent = {
  sends: 0,
  lookups: 0,
  notFound: 0,
  lastSentAt: null,
  unknownSince: null,
} as const;

/** A refund in the API's form. */
export function toRefundResponse(refund: StoredRefund): Refund {
  return {
    id: refund.id,
    refund_id: refund.callerId,
    payment_id: refund.chargeId ?? '',
    status: refund.status,
    amount: brlFromCents(refund.amountCents),
    reason: refund.reason,
    origin: refund.origin,
    error: refund.error,
    rtr_id: refund.rtrId,
    created_at: refund.createdAt.toISOString(),
    completed_at: refund.completedAt?.toISOString() ?? null,
  };
}
