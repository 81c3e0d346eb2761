import { brlFromCents, type PaymentLink as PaymentLinkBody, type PaymentLinkState } from '@jangada/contract';

/**
 * A payment link is a page, found by its `slug`, that creates a new charge for each payer. `amountCents` is null if the
 * payer chooses the amount. Amounts are integer cents.
 */
export type StoredPaymentLink = {
  readonly merchantId: number;
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly description: string | null;
  readonly amountCents: number | null;
  /** The most payments that the link accepts; null for no limit. */
  readonly maxPayments: number | null;
  readonly endsAt: Date | null;
  readonly successUrl: string | null;
  readonly active: boolean;
  /** Raised by every change, so that a change based on an older state can be refused. */
  readonly version: number;
  /** The number of payments, and their sum. */
  readonly payments: number;
  readonly receivedCents: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** The state of a link. If several apply, `off` precedes `ended`, and `ended` precedes `sold_out`. */
export function determineLinkState(link: StoredPaymentLink, now: Date): PaymentLinkState {
  if (!link.active) return 'off';
  if (link.endsAt !== null && link.endsAt <= now) return 'ended';
  return link.maxPayments !== null && link.payments >= link.maxPayments ? 'sold_out' : 'active';
}

/** Converts a link to its API format. */
export function toPaymentLinkResponse(
  link: StoredPaymentLink,
  publicUrl: string,
  now: Date,
): PaymentLinkBody {
  return {
    id: link.id,
    url: `${publicUrl}/link/${link.slug}`,
    title: link.title,
    description: link.description,
    amount: link.amountCents === null ? null : brlFromCents(link.amountCents),
    max_payments: link.maxPayments,
    ends_at: link.endsAt?.toISOString() ?? null,
    success_url: link.successUrl,
    active: link.active,
    state: determineLinkState(link, now),
    payments: link.payments,
    received: brlFromCents(link.receivedCents),
    created_at: link.createdAt.toISOString(),
    updated_at: link.updatedAt.toISOString(),
    version: link.version,
  };
}
