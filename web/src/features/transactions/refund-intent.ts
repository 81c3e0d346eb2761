import * as z from 'zod/mini';
import { keepStored, readStored } from '../../session/storage.ts';

/** A refund that was asked for and has no certain answer yet: asked again under the same id it is the same refund. */
export type RefundIntent = z.infer<typeof refundIntent>;

const refundIntent = z.object({
  /** Our own id of the refund, and the request's Idempotency-Key. */
  id: z.string(),
  amountCents: z.int(),
  reason: z.string(),
  askedAt: z.number(),
});

/** By then a request has arrived or never will, and the list of refunds tells which. */
const SETTLED_MS = 5 * 60_000;

const keyOf = (paymentId: string) => `refund:${paymentId}`;

/** What was asked for a payment without a certain answer; kept over a reload of the page. */
export function readRefundIntent(paymentId: string): RefundIntent | null {
  try {
    const kept = refundIntent.safeParse(JSON.parse(readStored(keyOf(paymentId), 'tab') ?? 'null'));
    return kept.success && Date.now() - kept.data.askedAt < SETTLED_MS ? kept.data : null;
  } catch {
    return null;
  }
}

/** Keeps an intent; null forgets it. */
export function keepRefundIntent(paymentId: string, intent: RefundIntent | null): void {
  keepStored(keyOf(paymentId), intent && JSON.stringify(intent), 'tab');
}
