import { brlFromCents, refundPayment } from '@jangada/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { send } from '../../api/client.ts';
import { failureMeaningOf, newIdempotencyKey } from '../../api/intents.ts';
import { moneyChanged } from '../../api/queries.ts';
import { readStored, writeStored } from '../../session/storage.ts';

/**
 * Requests refunds of a payment. A request with an unknown outcome stays `pending` and can only be repeated
 * unchanged, so that it refunds at most once. After a definite response the next request is a new one.
 */
export function useRefund(paymentId: string) {
  const [pending, setPending] = useState(() => readRefundIntent(paymentId));
  const updatePending = (intent: RefundIntent | null) => {
    storeRefundIntent(paymentId, intent);
    setPending(intent);
  };
  const mutation = useMutation({
    mutationFn: async (refund: { amountCents: number; reason: string }) => {
      const intent = pending ?? { ...refund, id: newIdempotencyKey(), askedAt: Date.now() };
      const { id, amountCents, reason } = intent;
      storeRefundIntent(paymentId, intent);
      try {
        await send(refundPayment, {
          params: { id: paymentId },
          body: { id, amount: brlFromCents(amountCents), reason },
          idempotencyKey: id,
        });
      } catch (error) {
        const meaning = failureMeaningOf(error);
        // A retry that was not carried out does not prove that the attempt before it was not.
        const isKnownNotDone = meaning === 'refused' || (meaning === 'not-done' && pending === null);
        updatePending(isKnownNotDone ? null : intent);
        throw error;
      }
      updatePending(null);
    },
    // Even a refusal means that the screen may be out of date.
    onSettled: () => void moneyChanged(),
  });
  return { ...mutation, pending, forget: () => updatePending(null) };
}

/** A requested refund whose outcome is unknown. Repeated under its id, it is the same refund to the gateway. */
type RefundIntent = z.infer<typeof refundIntentSchema>;

const refundIntentSchema = z.object({
  /** Our own id of the refund, and the request's Idempotency-Key. */
  id: z.string(),
  amountCents: z.int(),
  reason: z.string(),
  askedAt: z.number(),
});

/** After this time a request has arrived or never will, and the list of refunds shows which. */
const SETTLED_MS = 5 * 60_000;

const keyOf = (paymentId: string) => `refund:${paymentId}`;

/** The stored request of a payment whose outcome is unknown; it survives a reload. */
function readRefundIntent(paymentId: string): RefundIntent | null {
  try {
    const stored = refundIntentSchema.safeParse(JSON.parse(readStored(keyOf(paymentId), 'tab') ?? 'null'));
    return stored.success && Date.now() - stored.data.askedAt < SETTLED_MS ? stored.data : null;
  } catch {
    return null;
  }
}

/** Stores an intent in this tab; null removes it. */
function storeRefundIntent(paymentId: string, intent: RefundIntent | null): void {
  writeStored(keyOf(paymentId), intent && JSON.stringify(intent), 'tab');
}
