import type { CreatedPaymentModel, PaymentStatusModel, TransactionModel } from '@jangada/contract';

/** A charge on the result screen. `image` is the provider's own picture of the code, where it sent one. */
export type ChargeWithImage = TransactionModel & { image: string };

/** What the answer to a new payment tells of the charge. */
export function chargeFromCreated(
  created: CreatedPaymentModel,
  asked: { amountCents: number; expiresIn: number },
): ChargeWithImage {
  // A provider that tells neither moment was asked just now.
  const now = Date.now();
  const createdAt = created.createdAt ?? new Date(now).toISOString();
  return {
    id: created.id,
    status: 'pending',
    amountCents: created.amountCents ?? asked.amountCents,
    creditedCents: created.creditedCents ?? 0,
    reservedCents: created.reservedCents,
    refundedCents: 0,
    createdAt,
    paidAt: null,
    expiresAt: created.expiresAt ?? new Date(now + asked.expiresIn * 1000).toISOString(),
    content: created.content,
    endToEndId: null,
    externalId: null,
    metadata: {},
    payer: null,
    cancelledAt: null,
    description: null,
    checkoutUrl: created.checkoutUrl,
    receiptUrl: null,
    paymentLinkId: null,
    counterCodeId: null,
    image: created.image,
  };
}

/** A charge with what a status query tells; what it does not tell stays. */
export function withStatus(
  charge: ChargeWithImage,
  { status, creditedCents, reservedCents, refundedCents, paidAt, receiptUrl }: PaymentStatusModel,
): ChargeWithImage {
  return {
    ...charge,
    status,
    creditedCents: creditedCents ?? charge.creditedCents,
    reservedCents: reservedCents ?? charge.reservedCents,
    refundedCents: refundedCents ?? charge.refundedCents,
    paidAt: paidAt ?? charge.paidAt,
    receiptUrl: receiptUrl ?? charge.receiptUrl,
  };
}

/** Whether money can still come: late money is credited too, so an expired charge is watched on. */
export function isOpen(status: string): boolean {
  return status === 'pending' || status === 'expired';
}

/** Whether there is anything to pay by: the bank may still owe the code. */
export function hasCode({ content, image }: ChargeWithImage): boolean {
  return content !== '' || image !== '';
}
