import {
  type BodyInput,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  disableWebhookEndpoint,
  enableWebhookEndpoint,
  getWebhookDelivery,
  listWebhookDeliveries,
  listWebhookEndpoints,
  resendWebhookDeliveries,
  resendWebhookDelivery,
  rotateWebhookEndpointSecret,
  testWebhookEndpoint,
  updateWebhookEndpoint,
  type WebhookDelivery,
  type WebhookEndpoint,
  webhookEndpointSecret,
} from '@jangada/contract';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { queryClient, updateCacheFrom } from '../../api/query.ts';
import type { DeliveryFilter } from './webhook-search.ts';

const PAGE = 25;
/** How often unfinished deliveries are polled. */
const FOLLOW_MS = 1500;

export const endpointsQuery = queryOptions({
  queryKey: ['webhook-endpoints'],
  queryFn: ({ signal }) => call(listWebhookEndpoints, { signal }),
});

const changed = <Answer>(
  answer: Promise<Answer>,
  change: (endpoints: WebhookEndpoint[], answer: Answer) => WebhookEndpoint[],
) =>
  updateCacheFrom(
    endpointsQuery.queryKey,
    answer,
    (list: { endpoints: WebhookEndpoint[] }, given: Answer) => ({
      ...list,
      endpoints: change(list.endpoints, given),
    }),
  );

const asNow = (endpoints: WebhookEndpoint[], now: WebhookEndpoint) =>
  endpoints.map((one) => (one.id === now.id ? now : one));

type EndpointBody = BodyInput<typeof createWebhookEndpoint>;

/** The mutations of endpoints. */
export const endpointActions = {
  create: (body: EndpointBody) =>
    changed(call(createWebhookEndpoint, { body }), (endpoints, { secret: _secret, ...made }) => [
      ...endpoints.filter(({ id }) => id !== made.id),
      made,
    ]),
  update: (id: string, body: EndpointBody) =>
    changed(call(updateWebhookEndpoint, { params: { id }, body }), asNow),
  /** `leave` navigates away from the endpoint's page, which would otherwise show that it does not exist. */
  remove: (id: string, leave: () => Promise<void>) =>
    changed(call(deleteWebhookEndpoint, { params: { id } }).then(leave), (endpoints) =>
      endpoints.filter((one) => one.id !== id),
    ),
  enable: (id: string) => changed(call(enableWebhookEndpoint, { params: { id } }), asNow),
  disable: (id: string) => changed(call(disableWebhookEndpoint, { params: { id } }), asNow),
  test: (id: string) => listed(call(testWebhookEndpoint, { params: { id } })),
};

/** The secret of an endpoint; null until the password is given again, which rotating it may require too. */
export const endpointSecret = {
  read: (id: string) => call(webhookEndpointSecret, { params: { id } }),
  rotate: (id: string) => call(rotateWebhookEndpointSecret, { params: { id } }),
};

/**
 * The log, page by page, newest first. The first page is polled while it has a delivery without an attempt.
 */
export const deliveriesQuery = ({ id: _id, ...filter }: DeliveryFilter) =>
  infiniteQueryOptions({
    queryKey: ['webhook-deliveries', filter],
    queryFn: ({ signal, pageParam }) =>
      call(listWebhookDeliveries, { query: { ...filter, limit: PAGE, before: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.length === 1 && data.pages[0]?.deliveries.some(isFresh) ? FOLLOW_MS : false,
  });

/** The newest deliveries of an endpoint. */
export const latestQuery = (endpoint: string) =>
  queryOptions({
    queryKey: ['webhook-deliveries', 'latest', endpoint],
    queryFn: ({ signal }) => call(listWebhookDeliveries, { query: { endpoint, limit: 5 }, signal }),
    refetchInterval: ({ state: { data } }) => (data?.deliveries.some(isFresh) ? FOLLOW_MS : false),
  });

/** One delivery with its attempts, polled until the first attempt is over. */
export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhook-delivery', id],
    queryFn: ({ signal }) => call(getWebhookDelivery, { params: { id }, signal }),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isFresh(data) ? FOLLOW_MS : false),
  });

/** True while no attempt has finished. */
export function isFresh({ state, attempts }: Pick<WebhookDelivery, 'state' | 'attempts'>): boolean {
  return state === 'waiting' && attempts === 0;
}

async function listed<Answer>(answer: Promise<Answer>): Promise<Answer> {
  const given = await answer;
  void queryClient.invalidateQueries({ queryKey: ['webhook-deliveries'] });
  return given;
}

/** Resends deliveries; the log is refetched after each. */
export const resending = {
  one: (id: string) => listed(call(resendWebhookDelivery, { params: { id } })),
  many: (body: BodyInput<typeof resendWebhookDeliveries>) => listed(call(resendWebhookDeliveries, { body })),
};
