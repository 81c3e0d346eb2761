import {
  brlFromCents,
  createPayment,
  parseCreatedPayment,
  parseTransactionFeed,
  transactionFeed,
} from '@jangada/contract';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error.ts';
import { send } from '../../api/client.ts';
import { failureMeaningOf } from '../../api/intents.ts';
import { offersMore } from '../../api/provider.ts';
import { apiKeyQuery, chargeQuery, moneyChanged } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';
import { session } from '../../session/session.ts';
import { keepStored, readStored } from '../../session/storage.ts';
import { type ChargeWithImage, chargeFromCreated, hasCode } from './charge.ts';

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

const KEY = 'unanswered-charge';

/** Keeps, in this tab, that a charge was asked for: a reload may come before its answer. */
function markChargePending(): void {
  keepStored(KEY, owner(), 'tab');
}

/** It is known what came of it, or somebody went to look. */
export function clearChargePending(): void {
  keepStored(KEY, null, 'tab');
}

/** True when this account requested a charge whose outcome is unknown. */
export function hasPendingCharge(): boolean {
  const kept = readStored(KEY, 'tab');
  return kept !== null && kept === owner();
}

function owner(): string | null {
  return session.getState().user?.id ?? null;
}

/** The address of a charge that its provider gave no id: it is known as long as it is shown. */
export const NAMELESS = 'sem-id';

/** A charge by its id, from the feed; null when not found. Its changing state is queried separately. */
export const chargeRecordQuery = (id: string) =>
  queryOptions({
    queryKey: ['charge-record', id],
    queryFn: async ({ signal }): Promise<ChargeWithImage | null> => {
      if (id === NAMELESS) return null;
      // Others do not search: it is among their newest, or not to be found.
      const query = offersMore() ? { search: id, limit: 1 } : { limit: 100 };
      const feed = parseTransactionFeed(await send(transactionFeed, { query, signal }), query);
      const found = feed.transactions.find((transaction) => transaction.id === id);
      return found ? { ...found, image: '' } : null;
    },
    staleTime: Number.POSITIVE_INFINITY,
    // Opened again, one that had no code yet may have it.
    refetchOnMount: ({ state: { data } }) => (data && !hasCode(data) ? 'always' : false),
  });
