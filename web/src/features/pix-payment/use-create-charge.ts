import { brlFromCents, createPayment, parseCreatedPayment } from '@jangada/contract';
import { useMutation } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error.ts';
import { send } from '../../api/client.ts';
import { failureMeaningOf } from '../../api/intents.ts';
import { offersMore } from '../../api/provider.ts';
import { apiKeyQuery, chargeQuery, moneyChanged } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';
import { chargeFromCreated } from './charge.ts';
import { chargeRecordQuery, NAMELESS } from './charge-record.ts';
import { clearChargePending, hasPendingCharge, markChargePending } from './pending-charge.ts';

export type NewChargeRequest = { amountCents: number; expiresIn: number };

/** Creates charges. The same one asked for again after an unknown outcome is one charge at most. */
export function useCreateCharge() {
  return useMutation({
    mutationFn: async ({ amountCents, expiresIn }: NewChargeRequest) => {
      const amount = brlFromCents(amountCents);
      // The specification has two names for the lifetime, and this one in the panel's own call.
      const body = offersMore() ? { amount, expires_in: expiresIn } : { amount, expiresIn };
      const apiKey = queryClient.getQueryData(apiKeyQuery.queryKey)?.key ?? undefined;
      return chargeFromCreated(parseCreatedPayment(await send(createPayment, { body, apiKey })), {
        amountCents,
        expiresIn,
      });
    },
    onMutate: () => {
      const unansweredBefore = hasPendingCharge();
      markChargePending();
      return { unansweredBefore };
    },
    onSuccess: (charge) => {
      clearChargePending();
      // It drops what no screen shows, so the new charge is written after it.
      void moneyChanged();
      const address = charge.id || NAMELESS;
      queryClient.setQueryData(chargeRecordQuery(address).queryKey, charge);
      queryClient.setQueryData(chargeQuery(address).queryKey, {
        status: charge.status,
        amountCents: charge.amountCents,
        creditedCents: charge.creditedCents,
        reservedCents: charge.reservedCents,
        refundedCents: charge.refundedCents,
        paidAt: null,
        receiptUrl: null,
      });
    },
    onError: (error, _, begun) => {
      const meaning = failureMeaningOf(error);
      if (meaning === 'refused' || (meaning === 'not-done' && !begun?.unansweredBefore)) clearChargePending();
      if (error instanceof ApiError && error.code === 'INVALID_API_KEY')
        void queryClient.invalidateQueries({ queryKey: apiKeyQuery.queryKey });
    },
  });
}
