import { brlFromCents, createPayment, parseCreatedPayment } from '@jangada/contract';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { newIdempotencyKey, send } from '../../api/client.ts';
import { offersMore } from '../../api/provider.ts';
import { apiKeyQuery, chargeQuery, moneyChanged } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';
import { chargeFromCreated } from './charge.ts';
import { chargeRecordQuery, NAMELESS } from './charge-record.ts';
import { noteAnswered, noteAsked } from './unanswered.ts';

export type Asked = { amountCents: number; expiresIn: number };

/**
 * Creates charges. A try whose outcome nobody knows is sent again as the same intent, so that it makes one charge at
 * most; after an answer the next try is a new one.
 */
export function useCreateCharge() {
  const intent = useRef<{ body: string; key: string } | null>(null);
  return useMutation({
    mutationFn: async ({ amountCents, expiresIn }: Asked) => {
      const amount = brlFromCents(amountCents);
      // The specification has two names for the lifetime, and this one in the panel's own call.
      const body = offersMore() ? { amount, expires_in: expiresIn } : { amount, expiresIn };
      const text = JSON.stringify(body);
      if (intent.current?.body !== text) intent.current = { body: text, key: newIdempotencyKey() };
      noteAsked();
      const apiKey = queryClient.getQueryData(apiKeyQuery.queryKey)?.key ?? undefined;
      const request = { body, apiKey, idempotencyKey: intent.current.key };
      return chargeFromCreated(parseCreatedPayment(await send(createPayment, request)), {
        amountCents,
        expiresIn,
      });
    },
    onSuccess: (charge) => {
      intent.current = null;
      noteAnswered();
      // It drops what no screen shows, so the new charge is written after it.
      void moneyChanged();
      const address = charge.id || NAMELESS;
      queryClient.setQueryData(chargeRecordQuery(address).queryKey, charge);
      queryClient.setQueryData(chargeQuery(address).queryKey, {
        status: charge.status,
        amountCents: charge.amountCents,
        creditedCents: charge.creditedCents,
        refundedCents: charge.refundedCents,
        paidAt: null,
        receiptUrl: null,
      });
    },
    onError: (error) => {
      const answered = error instanceof ApiError && error.status >= 400 && error.status < 500;
      if (answered) {
        intent.current = null;
        noteAnswered();
      }
      if (answered && error.code === 'INVALID_API_KEY')
        void queryClient.invalidateQueries({ queryKey: apiKeyQuery.queryKey });
    },
  });
}
