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
import { supports } from '../../api/provider.ts';
import { apiKeyQuery, chargeQuery, refetchMoney } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';
import { session } from '../../session/session.ts';
import { readStored, writeStored } from '../../session/storage.ts';
import { type ChargeWithImage, chargeFromCreated, hasCode } from './charge.ts';

export type NewChargeRequest = { amountCents: number; expiresIn: number };

/** Creates charges. Repeating a request after an unknown outcome creates at most one charge. */
export function useCreateCharge() {
  return useMutation({
    mutationFn: async ({ amountCents, expiresIn }: NewChargeRequest) => {
      const amount = brlFromCents(amountCents);
      // The specification has two names for the lifetime: its dashboard sends `expiresIn`, its API takes
      // `expires_in`.
      const body = supports('chargeExpiresIn') ? { amount, expires_in: expiresIn } : { amount, expiresIn };
      const apiKey = queryClient.getQueryData(apiKeyQuery.queryKey)?.key ?? undefined;
      return chargeFromCreated(parseCreatedPayment(await send(createPayment, { body, apiKey })), {
        amountCents,
        expiresIn,
      });
    },
    onMutate: () => {
      const hadPendingCharge = hasPendingCharge();
      markChargePending();
      return { hadPendingCharge };
    },
    onSuccess: (charge) => {
      clearChargePending();
      // `refetchMoney` drops cached data that no screen shows, so the new charge is cached after it.
      void refetchMoney();
      const cachedId = charge.id || MISSING_CHARGE_ID;
      queryClient.setQueryData(chargeRecordQuery(cachedId).queryKey, charge);
      queryClient.setQueryData(chargeQuery(cachedId).queryKey, {
        status: charge.status,
        amountCents: charge.amountCents,
        creditedCents: charge.creditedCents,
        reservedCents: charge.reservedCents,
        refundedCents: charge.refundedCents,
        paidAt: null,
        receiptUrl: null,
      });
    },
    onError: (error, _, context) => {
      const meaning = failureMeaningOf(error);
      // An attempt that did nothing proves nothing about an earlier request whose outcome is unknown.
      const isKnownNotCreated =
        meaning === 'refused' || (meaning === 'not-done' && !context?.hadPendingCharge);
      if (isKnownNotCreated) clearChargePending();
      if (error instanceof ApiError && error.code === 'INVALID_API_KEY')
        void queryClient.invalidateQueries({ queryKey: apiKeyQuery.queryKey });
    },
  });
}

const STORAGE_KEY = 'unanswered-charge';

/** Stores in this tab which account requested a charge, because the page may reload before the response. */
function markChargePending(): void {
  writeStored(STORAGE_KEY, accountId(), 'tab');
}

/** Called when the outcome is known, or when the user leaves for the list to check it. */
export function clearChargePending(): void {
  writeStored(STORAGE_KEY, null, 'tab');
}

/** True when this account requested a charge whose outcome is unknown. */
export function hasPendingCharge(): boolean {
  const storedAccountId = readStored(STORAGE_KEY, 'tab');
  return storedAccountId !== null && storedAccountId === accountId();
}

function accountId(): string | null {
  return session.getState().user?.id ?? null;
}

/**
 * Stands in the URL for the id of a charge to which the provider gave none. Only this page's cache knows such
 * a charge: it cannot be asked for.
 */
export const MISSING_CHARGE_ID = 'sem-id';

/**
 * A charge by its id, found in the list of transactions; null when not found. Its live status is queried
 * separately.
 */
export const chargeRecordQuery = (id: string) =>
  queryOptions({
    queryKey: ['charge-record', id],
    queryFn: async ({ signal }): Promise<ChargeWithImage | null> => {
      if (id === MISSING_CHARGE_ID) return null;
      // Other providers cannot search, so only their newest charges are checked.
      const query = supports('transactionSearch') ? { search: id, limit: 1 } : { limit: 100 };
      const feed = parseTransactionFeed(await send(transactionFeed, { query, signal }), query);
      const found = feed.transactions.find((transaction) => transaction.id === id);
      return found ? { ...found, image: '' } : null;
    },
    staleTime: Number.POSITIVE_INFINITY,
    // A charge that had no code yet may have one when it is opened again.
    refetchOnMount: ({ state: { data } }) => (data && !hasCode(data) ? 'always' : false),
  });
