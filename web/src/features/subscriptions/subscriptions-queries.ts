import {
  type BodyInput,
  type Cycle,
  cancelCycle,
  cancelSubscription,
  chargeCycle,
  createSubscription,
  getCustomer,
  getSubscription,
  getSubscriptionSummary,
  listCustomers,
  listCycles,
  listSubscriptions,
  type Subscription,
  setCycleAmount,
} from '@jangada/contract';
import { infiniteQueryOptions, keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { useLiveState } from '../../api/live-state.ts';
import { POLL_MS, RECHECK_MS } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';
import type { SubscriptionsFilter } from './subscriptions-filter.ts';

/** With this the keys of all queries about subscriptions begin. The live channel names it when one changes. */
const SUBSCRIPTIONS = 'subscriptions';
const PAGE_SIZE = 25;
const CHOICES = 20;
const CYCLES_PAGE_SIZE = 24;

export const summaryQuery = queryOptions({
  queryKey: [SUBSCRIPTIONS, 'summary'],
  queryFn: ({ signal }) => call(getSubscriptionSummary, { signal }),
});

/** Subscriptions, page by page, newest first. */
export const subscriptionsQuery = ({ status, search }: SubscriptionsFilter) =>
  infiniteQueryOptions({
    queryKey: [SUBSCRIPTIONS, 'list', status, search],
    queryFn: ({ signal, pageParam }) =>
      call(listSubscriptions, { query: { status, search, limit: PAGE_SIZE, before: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }: { next: string | null }) => next ?? undefined,
    placeholderData: keepPreviousData,
  });

/** The newest customers that a search finds, of whom one is chosen. */
export const customersQuery = (search: string) =>
  queryOptions({
    queryKey: ['customers', 'choice', search],
    queryFn: ({ signal }) => call(listCustomers, { query: { search, limit: CHOICES }, signal }),
    placeholderData: keepPreviousData,
  });

/** A customer whom the URL names. */
export const chosenCustomerQuery = (id: string) =>
  queryOptions({
    queryKey: ['customers', 'detail', id],
    queryFn: ({ signal }) => call(getCustomer, { params: { id }, signal }),
  });

const subscriptionQuery = (id: string) =>
  queryOptions({
    queryKey: [SUBSCRIPTIONS, 'detail', id],
    queryFn: ({ signal }) => call(getSubscription, { params: { id }, signal }),
  });

/**
 * One subscription. While its page waits for the payer or the bank it is polled as well, for the live channel does not
 * report what happened before it opened.
 */
export function useSubscription(id: string) {
  const pollMs = useLiveState() === 'open' ? RECHECK_MS : POLL_MS;
  return useQuery({
    ...subscriptionQuery(id),
    refetchInterval: ({ state: { data } }) => data?.status === 'waiting' && pollMs,
  });
}

/** The cycles of a subscription, page by page, newest first. */
export const cyclesQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [SUBSCRIPTIONS, 'cycles', id],
    queryFn: ({ signal, pageParam }) =>
      call(listCycles, { params: { id }, query: { limit: CYCLES_PAGE_SIZE, before: pageParam }, signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ data }: { data: Cycle[] }) => {
      const oldest = data.at(-1)?.number ?? 1;
      return data.length === CYCLES_PAGE_SIZE && oldest > 1 ? oldest : undefined;
    },
  });

/** Refetches everything about subscriptions: one change shows in the summary, the lists and the page of one. */
function refetchSubscriptions(): void {
  queryClient.removeQueries({ queryKey: [SUBSCRIPTIONS], type: 'inactive' });
  void queryClient.invalidateQueries({ queryKey: [SUBSCRIPTIONS] });
}

/** Refetches after a success, and after a failure too: the call may have been carried out, or the cycle moved on. */
async function thenRefetch<Answer>(response: Promise<Answer>): Promise<Answer> {
  try {
    return await response;
  } finally {
    refetchSubscriptions();
  }
}

export type NewSubscriptionBody = BodyInput<typeof createSubscription>;

/** What a merchant does with subscriptions. Each refetches what changed. */
export const subscriptionActions = {
  create: async (body: NewSubscriptionBody): Promise<Subscription> => {
    const created = await thenRefetch(call(createSubscription, { body }));
    queryClient.setQueryData(subscriptionQuery(created.id).queryKey, created);
    return created;
  },
  cancel: (id: string) => thenRefetch(call(cancelSubscription, { params: { id } })),
  setAmount: (id: string, number: number, amount: number) =>
    thenRefetch(call(setCycleAmount, { params: { id, number }, body: { amount } })),
  cancelCycle: (id: string, number: number) => thenRefetch(call(cancelCycle, { params: { id, number } })),
  chargeCycle: (id: string, number: number) => thenRefetch(call(chargeCycle, { params: { id, number } })),
};
