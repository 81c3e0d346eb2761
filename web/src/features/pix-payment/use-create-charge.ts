import {
  brlFromCents,
  createPayment,
  listPayments,
  type NewPayment,
  PAGE_SIZE,
  parseCreatedPayment,
  parseTransactionFeed,
  transactionFeed,
} from '@jangada/contract';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error.ts';
import { callRaw } from '../../api/client.ts';
import { failureOutcomeOf } from '../../api/intents.ts';
import { supports } from '../../api/provider.ts';
import { apiKeyQuery, chargeQuery, refetchMoney } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';
import { accountIdOf, may } from '../../session/account.ts';
import { session } from '../../session/session.ts';
import { readStored, writeStored } from '../../session/storage.ts';
import { type ChargeWithImage, chargeFromCreated, hasCode } from './charge.ts';
import type { DueRequest } from './due-draft.ts';

export type NewChargeRequest = {
  amountCents: number;
  /** Does not count with a due date. */
  expiresIn: number;
  due?: DueRequest & Pick<NewPayment, 'payer_rules'>;
};

/**
 * Creates charges. A request that is repeated after an unknown outcome is sent with the same Idempotency-Key (`callRaw`
 * sees to it), so that at most one charge is created.
 */
export function useCreateCharge() {
  return useMutation({
    mutationFn: async ({ amountCents, expiresIn, due }: NewChargeRequest) => {
      const amount = brlFromCents(amountCents);
      // The API's specification has two names for the lifetime: its dashboard sends `expiresIn`, its API takes
      // `expires_in`. A provider (the gateway behind the dashboard) other than our own expects `expiresIn`.
      const lifetime = supports('chargeExpiresIn') ? { expires_in: expiresIn } : { expiresIn };
      const body = { amount, ...(due ?? lifetime) };
      const apiKey = queryClient.getQueryData(apiKeyQuery.queryKey)?.key ?? undefined;
      return chargeFromCreated(parseCreatedPayment(await callRaw(createPayment, { body, apiKey })), {
        amountCents,
        expiresIn,
      });
    },
    onMutate: () => {
      // Read before this request is marked.
      const hadUnansweredRequest = hasUnansweredRequest();
      markRequestUnanswered();
      return { hadUnansweredRequest };
    },
    onSuccess: (charge) => {
      clearUnansweredRequest();
      // `refetchMoney` drops cached data that no screen shows, so the new charge must be cached after that call.
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
      const outcome = failureOutcomeOf(error);
      // This attempt did nothing, but an earlier request with an unknown outcome may still have created a charge.
      const isKnownNotCreated =
        outcome === 'refused' || (outcome === 'not-done' && !context?.hadUnansweredRequest);
      if (isKnownNotCreated) clearUnansweredRequest();
      if (error instanceof ApiError && error.code === 'INVALID_API_KEY')
        void queryClient.invalidateQueries({ queryKey: apiKeyQuery.queryKey });
    },
  });
}

const STORAGE_KEY = 'unanswered-charge';

/** Stores in this tab which account requested a charge, because the page may reload before the response arrives. */
function markRequestUnanswered(): void {
  writeStored(STORAGE_KEY, accountId(), 'tab');
}

/**
 * Call this when the outcome of the request is known, or when the user goes to the list of transactions to look for it.
 */
export function clearUnansweredRequest(): void {
  writeStored(STORAGE_KEY, null, 'tab');
}

/** True when this account requested a charge whose outcome is unknown. */
export function hasUnansweredRequest(): boolean {
  const storedAccountId = readStored(STORAGE_KEY, 'tab');
  return storedAccountId !== null && storedAccountId === accountId();
}

function accountId(): string | null {
  return accountIdOf(session.getState()) ?? null;
}

/**
 * Takes the place of the id in the URL when the provider (the gateway behind the dashboard) returned a charge without
 * one. Such a charge exists only in this page's cache, because it cannot be requested without an id.
 */
export const MISSING_CHARGE_ID = 'sem-id';

/**
 * A charge by its id, found in the list of transactions; null when it is not there. The live status of the charge is
 * queried separately.
 */
export const chargeRecordQuery = (id: string) =>
  queryOptions({
    queryKey: ['charge-record', id],
    queryFn: async ({ signal }): Promise<ChargeWithImage | null> => {
      if (id === MISSING_CHARGE_ID) return null;
      if (!may('read-charges')) return await findOwnCharge(id, signal);
      // Other providers cannot search, so only their newest 100 charges are checked.
      const query = supports('transactionSearch') ? { search: id, limit: 1 } : { limit: 100 };
      const feed = parseTransactionFeed(await callRaw(transactionFeed, { query, signal }), query);
      const found = feed.transactions.find((transaction) => transaction.id === id);
      return found ? { ...found, image: '' } : null;
    },
    staleTime: Number.POSITIVE_INFINITY,
    // A charge that had no code yet may have one when it is opened again.
    refetchOnMount: ({ state: { data } }) => (data && !hasCode(data) ? 'always' : false),
  });

/** Looks for a charge among those of today that the person made, for a role that sees no others. */
async function findOwnCharge(id: string, signal: AbortSignal): Promise<ChargeWithImage | null> {
  const list = await callRaw(listPayments, { query: { limit: PAGE_SIZE.max }, signal });
  const found = parseTransactionFeed(list, {}).transactions.find((transaction) => transaction.id === id);
  return found ? { ...found, image: '' } : null;
}
