import { brlFromCents, refundPayment } from '@jangada/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { send } from '../../api/client.ts';
import { failureMeaningOf, newIdempotencyKey } from '../../api/intents.ts';
import { moneyChanged } from '../../api/queries.ts';
import { keepStored, readStored } from '../../session/storage.ts';

/**
 * Requests refunds of a payment. A request with an unknown outcome stays `pending` and can only be repeated unchanged,
 * so that it refunds at most once. After a definite answer the next request is a new one.
 */
export function useRefund(paymentId: string) {
  const [pending, setPending] = useState(() => readRefundIntent(paymentId));
  const keep = (intent: RefundIntent | null) => {
    keepRefundIntent(paymentId, intent);
    setPending(intent);
  };
  const mutation = useMutation({
    mutationFn: async (asked: { amountCents: number; reason: string }) => {
      const intent = pending ?? { ...asked, id: newIdempotencyKey(), askedAt: Date.now() };
      const { id, amountCents, reason } = intent;
      keepRefundIntent(paymentId, intent);
      try {
        await send(refundPayment, {
          params: { id: paymentId },
          body: { id, amount: brlFromCents(amountCents), reason },
          idempotencyKey: id,
        });
      } catch (error) {
        const meaning = failureMeaningOf(error);
        // A failed retry does not settle the request before it.
        keep(meaning === 'refused' || (meaning === 'not-done' && pending === null) ? null : intent);
        throw error;
      }
      keep(null);
    },
    // Even a refusal means that the screen may be out of date.
    onSettled: () => void moneyChanged(),
  });
  return { ...mutation, pending, forget: () => keep(null) };
}

/** A requested refund without a definite answer; repeated under the same id it is the same refund. */
type RefundIntent = z.infer<typeof refundIntent>;

const refundIntent = z.object({
  /** Our own id of the refund, and the request's Idempotency-Key. */
  id: z.string(),
  amountCents: z.int(),
  reason: z.string(),
  askedAt: z.number(),
});

/** After this time a request has arrived or never will, and the list of refunds shows which. */
const SETTLED_MS = 5 * 60_000;

const keyOf = (paymentId: string) => `refund:${paymentId}`;

/** The stored request of a payment that has no definite answer yet; it survives a reload. */
function readRefundIntent(paymentId: string): RefundIntent | null {
  try {
    const kept = refundIntent.safeParse(JSON.parse(readStored(keyOf(paymentId), 'tab') ?? 'null'));
    return kept.success && Date.now() - kept.data.askedAt < SETTLED_MS ? kept.data : null;
  } catch {
    return null;
  }
}

/** Keeps an intent; null forgets it. */
function keepRefundIntent(paymentId: string, intent: RefundIntent | null): void {
  keepStored(keyOf(paymentId), intent && JSON.stringify(intent), 'tab');
}
