import { brlFromCents, refundPayment } from '@jangada/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { send } from '../../api/client.ts';
import { failureMeaningOf, newIdempotencyKey } from '../../api/intents.ts';
import { moneyChanged } from '../../api/queries.ts';
import { keepRefundIntent, type RefundIntent, readRefundIntent } from './refund-intent.ts';

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
