import { brlFromCents, refundPayment } from '@jangada/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { callRaw } from '../../api/client.ts';
import { failureOutcomeOf, newIdempotencyKey } from '../../api/intents.ts';
import { refetchMoney } from '../../api/queries.ts';
import { readStored, writeStored } from '../../session/storage.ts';

/**
 * Requests refunds of a payment. After an unknown outcome the request is returned as `unconfirmedRequest` and can only
 * be repeated unchanged, so that it refunds at most once. After a definite response the next request is a new one.
 */
export function useRefund(paymentId: string) {
  const [unconfirmedRequest, setUnconfirmedRequest] = useState(() => readStoredRequest(paymentId));
  const updateUnconfirmedRequest = (request: StoredRefundRequest | null) => {
    storeRequest(paymentId, request);
    setUnconfirmedRequest(request);
  };
  const mutation = useMutation({
    mutationFn: async (newRefund: { amountCents: number; reason: string }) => {
      const request = unconfirmedRequest ?? { ...newRefund, id: newIdempotencyKey(), askedAt: Date.now() };
      const { id, amountCents, reason } = request;
      storeRequest(paymentId, request);
      try {
        await callRaw(refundPayment, {
          params: { id: paymentId },
          body: { id, amount: brlFromCents(amountCents), reason },
          idempotencyKey: id,
        });
      } catch (error) {
        const outcome = failureOutcomeOf(error);
        // `not-done` describes this attempt only: if it was a retry, an earlier attempt may have been carried out.
        const isKnownNotDone =
          outcome === 'refused' || (outcome === 'not-done' && unconfirmedRequest === null);
        updateUnconfirmedRequest(isKnownNotDone ? null : request);
        throw error;
      }
      updateUnconfirmedRequest(null);
    },
    // A refusal also means that the screen may be out of date.
    onSettled: () => void refetchMoney(),
  });
  return { ...mutation, unconfirmedRequest, forgetUnconfirmedRequest: () => updateUnconfirmedRequest(null) };
}

/** A requested refund whose outcome is unknown. The gateway recognises a repeated request by the id. */
type StoredRefundRequest = z.infer<typeof storedRequestSchema>;

const storedRequestSchema = z.object({
  /** Our own id for the refund, which is also sent as the Idempotency-Key. */
  id: z.string(),
  amountCents: z.int(),
  reason: z.string(),
  askedAt: z.number(),
});

/** After this time the request has either arrived or been lost for good, and the list of refunds shows which. */
const OUTCOME_SETTLED_AFTER_MS = 5 * 60_000;

const storageKeyOf = (paymentId: string) => `refund:${paymentId}`;

/** The stored refund request of this payment, if its outcome is unknown; stored so that it survives a reload. */
function readStoredRequest(paymentId: string): StoredRefundRequest | null {
  try {
    const stored = storedRequestSchema.safeParse(
      JSON.parse(readStored(storageKeyOf(paymentId), 'tab') ?? 'null'),
    );
    return stored.success && Date.now() - stored.data.askedAt < OUTCOME_SETTLED_AFTER_MS ? stored.data : null;
  } catch {
    return null;
  }
}

/** Stores a request in this tab; null removes it. */
function storeRequest(paymentId: string, request: StoredRefundRequest | null): void {
  writeStored(storageKeyOf(paymentId), request && JSON.stringify(request), 'tab');
}
