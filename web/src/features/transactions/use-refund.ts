import { brlFromCents, refundPayment } from '@jangada/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { send } from '../../api/client.ts';
import { failureMeaningOf, newIdempotencyKey } from '../../api/intents.ts';
import { moneyChanged } from '../../api/queries.ts';
import { keepStored, readStored } from '../../session/storage.ts';

/**
 * Asks for refunds of a payment. A try whose outcome nobody knows stays as `pending`: it can only be sent again as it
 * was, so that it gives the money back once at most. After a certain answer the next try is a new one.
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
        // A try that did nothing says nothing of the one before it.
        keep(meaning === 'refused' || (meaning === 'not-done' && pending === null) ? null : intent);
        throw error;
      }
      keep(null);
    },
    // A refusal says that what the screen shows is out of date, too.
    onSettled: () => void moneyChanged(),
  });
  return { ...mutation, pending };
}

/** A refund that was asked for and has no certain answer yet: asked again under the same id it is the same refund. */
type RefundIntent = z.infer<typeof refundIntent>;

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
