import type { Refund, RefundStatus } from '@jangada/contract';
import { brlFromCents, REFUND_DAYS } from '@jangada/contract';
import type { RefundableCharge } from '../payments/index.ts';
import type { RefundOrder } from '../psp/index.ts';
import { randomText } from '../random-text.ts';
import { Refusal } from '../refusal.ts';

/** A refund as it stands in the database. Amounts in integer cents. */
export type StoredRefund = {
  /** 0: of a Pix that nobody claimed. */
  readonly merchantId: number;
  readonly id: string;
  readonly chargeId: string | null;
  readonly endToEndId: string;
  /** The caller's own name for it, and what was asked for under it; null: all that was left. */
  readonly callerId: string | null;
  readonly askedCents: number | null;
  readonly bankRefundId: string;
  readonly rtrId: string | null;
  readonly origin: Refund['origin'];
  readonly status: RefundStatus;
  readonly amountCents: number;
  readonly reason: string;
  readonly error: string | null;
  /** How often it left for the bank, and how often the bank did not know it since it last did. */
  readonly sends: number;
  readonly lookups: number;
  readonly firstSentAt: Date | null;
  readonly unknownSince: Date | null;
  readonly createdAt: Date;
  readonly completedAt: Date | null;
};

const windowMs = REFUND_DAYS * 86_400_000;

export function refundableUntil(paidAt: Date): Date {
  return new Date(paidAt.getTime() + windowMs);
}

/** What of a charge neither is back nor on its way. */
export function refundableCents({ amountCents, refundedCents, refundingCents }: RefundableCharge): number {
  return amountCents - refundedCents - refundingCents;
}

/** What beside the charge decides whether it may be refunded. */
export type RefundBlockers = {
  /** The payer contests the Pix at the bank, now. */
  readonly inDispute: boolean;
  /** Disputes left the merchant short, or in debt. */
  readonly claimed: boolean;
};

/** Why nothing of a charge may be refunded now; undefined where something may. */
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

/** The name of a refund at the bank: 32 letters and digits, random, since it must be ours alone. */
export function newBankRefundId(): string {
  return randomText(32);
}

export function orderOf({ endToEndId, bankRefundId, amountCents, reason }: StoredRefund): RefundOrder {
  return { endToEndId, refundId: bankRefundId, amountCents, note: reason.slice(0, 140) };
}

const shortestPauseMs = 2000;
const longestPauseMs = 60_000;
const rarePauseMs = 10 * 60_000;
const hourMs = 3_600_000;

/** When what is not known since then is looked up next: as long again, 2 s to a minute; after an hour ten minutes. */
export function nextRefundLookUp(since: Date, now: Date): Date {
  const passed = now.getTime() - since.getTime();
  const pause = passed >= hourMs ? rarePauseMs : Math.min(Math.max(passed, shortestPauseMs), longestPauseMs);
  return new Date(now.getTime() + pause);
}

/** Whether nobody has known for so long what became of an order that an operator has to look at it. */
export function isRefundLongUnknown(unknownSince: Date, now: Date): boolean {
  return now.getTime() - unknownSince.getTime() >= hourMs;
}

const missingMs = 2 * 60_000;
const missingLookups = 3;

/**
 * Whether what the bank did not know in so many look-ups is sent once more: not before the third, and two minutes. The
 * bank takes an id once for a Pix, so that it can never give back twice for one order.
 */
export function mayResendRefund(lookups: number, unknownSince: Date, now: Date): boolean {
  return lookups >= missingLookups && now.getTime() - unknownSince.getTime() >= missingMs;
}

/** A refund as the wire shows it. */
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
