import { brlFromCents, refundPayment } from '@jangada/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { callRaw } from '../../api/client.ts';
import { failureOutcomeOf, newIdempotencyKey } from '../../api/intents.ts';
import { refetchMoney } from '../../api/queries.ts';
import { readStored, writeStored } from '../../session/storage.ts';

const storedRequestSchema = z.object({
  /** Our own id for the refund, also sent as the Idempotency-Key. By it the gateway recognises a repeated request. */
  refundId: z.string(),
  amountCents: z.int(),
  reason: z.string(),
  /** The time of the first attempt, in milliseconds since 1970. */
  firstAskedAt: z.number(),
});

/** A requested refund whose outcome is unknown. */
type StoredRefundRequest = z.infer<typeof storedRequestSchema>;

/**
 * Requests refunds of a payment, each at most once. A request whose outcome is unknown is returned as
 * `unconfirmedRequest`. Until it has a definite answer, or the caller forgets it, the next call resends it unchanged and
 * ignores its own argument.
 */
export function useRefund(paymentId: string) {
  const [unconfirmedRequest, setUnconfirmedRequest] = useState(() => readStoredRequest(paymentId));
  const updateUnconfirmedRequest = (request: StoredRefundRequest | null) => {
    storeRequest(paymentId, request);
    setUnconfirmedRequest(request);
  };
  const mutation = useMutation({
    mutationFn: async (newRefund: { amountCents: number; reason: string }) => {
      const request = unconfirmedRequest ?? {
        ...newRefund,
        refundId: newIdempotencyKey(),
        firstAskedAt: Date.now(),
      };
      const { refundId, amountCents, reason } = request;
      // Stored before it is sent, because the page may be reloaded before the response arrives.
      storeRequest(paymentId, request);
      try {
        await callRaw(refundPayment, {
          params: { id: paymentId },
          body: { id: refundId, amount: brlFromCents(amountCents), reason },
          idempotencyKey: refundId,
        });
      } catch (error) {
        const outcome = failureOutcomeOf(error);
        // `refused`: no attempt was carried out. `not-done`: this attempt was not, but if it was a retry, an earlier one
        // may have been.
        const certainlyNotRefunded =
          outcome === 'refused' || (outcome === 'not-done' && unconfirmedRequest === null);
        updateUnconfirmedRequest(certainlyNotRefunded ? null : request);
        throw error;
      }
      updateUnconfirmedRequest(null);
    },
    // Refetch after failures too: a refusal may mean that the screen is out of date, and after an unknown outcome the
    // refund may exist.
    onSettled: () => void refetchMoney(),
  });
  return { ...mutation, unconfirmedRequest, forgetUnconfirmedRequest: () => updateUnconfirmedRequest(null) };
}

/**
 * How long after its first attempt a stored request is still read. By then it has either arrived or been lost for good,
 * and the list of refunds shows which.
 */
const STORED_REQUEST_LIFETIME_MS = 5 * 60_000;

const storageKeyOf = (paymentId: string) => `refund:${paymentId}`;

/** The stored refund request of this payment, if its outcome is unknown; stored so that it survives a reload. */
function readStoredRequest(paymentId: string): StoredRefundRequest | null {
  try {
    const stored = storedRequestSchema.safeParse(
      JSON.parse(readStored(storageKeyOf(paymentId), 'tab') ?? 'null'),
    );
    const isRecent = stored.success && Date.now() - stored.data.firstAskedAt < STORED_REQUEST_LIFETIME_MS;
    return isRecent ? stored.data : null;
  } catch {
    return null;
  }
}

/** Stores a request in this tab; null removes it. */
function storeRequest(paymentId: string, request: StoredRefundRequest | null): void {
  writeStored(storageKeyOf(paymentId), request && JSON.stringify(request), 'tab');
}
