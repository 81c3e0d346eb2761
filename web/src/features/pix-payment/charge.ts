import type { CreatedPaymentModel, PaymentStatusModel, TransactionModel } from '@jangada/contract';

/**
 * A charge on the result screen. `image` is the image of the QR code that the provider (the gateway behind the
 * dashboard) sent; empty if it sent none.
 */
export type ChargeWithImage = TransactionModel & { image: string };

/** Builds a charge from the response that created it; values that the response omits are taken from the request. */
export function chargeFromCreated(
  created: CreatedPaymentModel,
  requested: { amountCents: number; expiresIn: number },
): ChargeWithImage {
  // A provider may omit the times: the charge then counts as created just now.
  const now = Date.now();
  const createdAt = created.createdAt ?? new Date(now).toISOString();
  return {
    id: created.id,
    status: 'pending',
    amountCents: created.amountCents ?? requested.amountCents,
    creditedCents: created.creditedCents ?? 0,
    accountName: null,
    billedFeeCents: created.billedFeeCents,
    reservedCents: created.reservedCents,
    refundedCents: 0,
    createdAt,
    paidAt: null,
    expiresAt: created.expiresAt ?? new Date(now + requested.expiresIn * 1000).toISOString(),
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
    ...(created.due !== undefined && { due: created.due }),
    ...(created.billedTo !== undefined && { billedTo: created.billedTo }),
  };
}

/** Merges a status response into a charge; fields that the response omits keep their value. */
export function mergeStatus(
  charge: ChargeWithImage,
  {
    status,
    amountCents,
    creditedCents,
    reservedCents,
    refundedCents,
    paidAt,
    receiptUrl,
    due,
  }: PaymentStatusModel,
): ChargeWithImage {
  return {
    ...charge,
    status,
    creditedCents: creditedCents ?? charge.creditedCents,
    reservedCents: reservedCents ?? charge.reservedCents,
    refundedCents: refundedCents ?? charge.refundedCents,
    paidAt: paidAt ?? charge.paidAt,
    receiptUrl: receiptUrl ?? charge.receiptUrl,
    // What is paid for a charge with a due date is its amount from then on.
    ...(due !== undefined && { amountCents, due }),
  };
}

/** True while money can still arrive: late payments are credited, so an expired charge is still polled. */
export function canStillBePaid(status: string): boolean {
  return status === 'pending' || status === 'expired';
}

/** True when there is a code to pay. The code is missing until the bank has confirmed the charge. */
export function hasCode({ content, image }: ChargeWithImage): boolean {
  return content !== '' || image !== '';
}
