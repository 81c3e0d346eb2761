import { brlFromCents, refundPayment } from '@jangada/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { callRaw } from '../../api/client.ts';
import { failureOutcomeOf, newIdempotencyKey } from '../../api/intents.ts';
import { refetchMoney } from '../../api/queries.ts';
import { readStored, writeStored } from '../../session/storage.ts';

/**
 * Requests refunds of a payment. A request with an unknown outcome stays `unconfirmed` and can only be
 * repeated unchanged, so that it refunds at most once. After a definite response the next request is a new one.
 */
export function useRefund(paymentId: string) {
  const [unconfirmed, setUnconfirmed] = useState(() => readRefundIntent(paymentId));
  const updateUnconfirmed = (intent: RefundIntent | null) => {
    storeRefundIntent(paymentId, intent);
    setUnconfirmed(intent);
  };
  const mutation = useMutation({
    mutationFn: async (refund: { amountCents: number; reason: string }) => {
      const intent = unconfirmed ?? { ...refund, id: newIdempotencyKey(), askedAt: Date.now() };
      const { id, amountCents, reason } = intent;
      storeRefundIntent(paymentId, intent);
      try {
        await callRaw(refundPayment, {
          params: { id: paymentId },
          body: { id, amount: brlFromCents(amountCents), reason },
          idempotencyKey: id,
        });
      } catch (error) {
        const outcome = failureOutcomeOf(error);
        // This retry was not carried out, but an earlier attempt may have been.
        const isKnownNotDone = outcome === 'refused' || (outcome === 'not-done' && unconfirmed === null);
        updateUnconfirmed(isKnownNotDone ? null : intent);
        throw error;
      }
      updateUnconfirmed(null);
    },
    // A refusal also means that the screen may be out of date.
    onSettled: () => void refetchMoney(),
  });
  return { ...mutation, unconfirmed, forgetUnconfirmed: () => updateUnconfirmed(null) };
}

/** A requested refund whose outcome is unknown. The gateway recognises a repeated request by the id. */
type RefundIntent = z.infer<typeof refundIntentSchema>;

const refundIntentSchema = z.object({
  /** Our own id for the refund, which is also sent as the Idempotency-Key. */
  id: z.string(),
  amountCents: z.int(),
  reason: z.string(),
  askedAt: z.number(),
});

/** After this time the request has either arrived or been lost for good, and the list of refunds shows which. */
const OUTCOME_SETTLED_AFTER_MS = 5 * 60_000;

const keyOf = (paymentId: string) => `refund:${paymentId}`;

/** The stored refund request of this payment, if its outcome is unknown; stored so that it survives a reload. */
function readRefundIntent(paymentId: string): RefundIntent | null {
  try {
    const stored = refundIntentSchema.safeParse(JSON.parse(readStored(keyOf(paymentId), 'tab') ?? 'null'));
    return stored.success && Date.now() - stored.data.askedAt < OUTCOME_SETTLED_AFTER_MS ? stored.data : null;
  } catch {
    return null;
  }
}

/** Stores an intent in this tab; null removes it. */
function storeRefundIntent(paymentId: string, intent: RefundIntent | null): void {
  writeStored(keyOf(paymentId), intent && JSON.stringify(intent), 'tab');
}
