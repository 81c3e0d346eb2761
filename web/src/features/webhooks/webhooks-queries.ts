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

const PAGE_SIZE = 25;
/**
 * The polling interval until the first attempt of a delivery has finished; short, because a merchant who sends a test
 * waits for the result.
 */
export const POLL_FIRST_ATTEMPT_MS = 1500;

export const endpointsQuery = queryOptions({
  queryKey: ['webhook-endpoints'],
  queryFn: ({ signal }) => call(listWebhookEndpoints, { signal }),
});

/** Applies the response of a mutation to the cached list of endpoints. */
const updateEndpoints = <Body>(
  response: Promise<Body>,
  change: (endpoints: WebhookEndpoint[], body: Body) => WebhookEndpoint[],
) =>
  updateCacheFrom(
    endpointsQuery.queryKey,
    response,
    (list: { endpoints: WebhookEndpoint[] }, body: Body) => ({
      ...list,
      endpoints: change(list.endpoints, body),
    }),
  );

const replaceEndpoint = (endpoints: WebhookEndpoint[], changed: WebhookEndpoint) =>
  endpoints.map((endpoint) => (endpoint.id === changed.id ? changed : endpoint));

type EndpointBody = BodyInput<typeof createWebhookEndpoint>;

/**
 * The calls that change webhook endpoints. Each updates the cached list of endpoints, except `test`, which refetches
 * the log of deliveries.
 */
export const endpointActions = {
  create: (body: EndpointBody) =>
    updateEndpoints(call(createWebhookEndpoint, { body }), (endpoints, { secret: _secret, ...created }) => [
      ...endpoints.filter(({ id }) => id !== created.id),
      created,
    ]),
  update: (id: string, body: EndpointBody) =>
    updateEndpoints(call(updateWebhookEndpoint, { params: { id }, body }), replaceEndpoint),
  /**
   * `leavePage` navigates away from the endpoint's page before the endpoint disappears from the cached list. Otherwise
   * the page would say that the endpoint does not exist.
   */
  remove: (id: string, leavePage: () => Promise<void>) =>
    updateEndpoints(call(deleteWebhookEndpoint, { params: { id } }).then(leavePage), (endpoints) =>
      endpoints.filter((endpoint) => endpoint.id !== id),
    ),
  enable: (id: string) => updateEndpoints(call(enableWebhookEndpoint, { params: { id } }), replaceEndpoint),
  disable: (id: string) => updateEndpoints(call(disableWebhookEndpoint, { params: { id } }), replaceEndpoint),
  test: (id: string) => refetchLogAfter(call(testWebhookEndpoint, { params: { id } })),
};

/**
 * Reads or rotates the secret of an endpoint. `read` returns null instead of the secret unless the user gave the
 * password moments ago.
 */
export const endpointSecret = {
  read: (id: string) => call(webhookEndpointSecret, { params: { id } }),
  rotate: (id: string) => call(rotateWebhookEndpointSecret, { params: { id } }),
};

/**
 * The log of deliveries, page by page, newest first. While a delivery has not been attempted yet, the log is polled,
 * but only if a single page is loaded: a refetch loads every page again.
 */
export const deliveriesQuery = ({ id: _id, ...filter }: DeliveryFilter) =>
  infiniteQueryOptions({
    queryKey: ['webhook-deliveries', filter],
    queryFn: ({ signal, pageParam }) =>
      call(listWebhookDeliveries, { query: { ...filter, limit: PAGE_SIZE, before: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.length === 1 && data.pages[0]?.deliveries.some(isUnattempted)
        ? POLL_FIRST_ATTEMPT_MS
        : false,
  });

/** The newest deliveries of an endpoint. */
export const latestDeliveriesQuery = (endpoint: string) =>
  queryOptions({
    queryKey: ['webhook-deliveries', 'latest', endpoint],
    queryFn: ({ signal }) => call(listWebhookDeliveries, { query: { endpoint, limit: 5 }, signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.deliveries.some(isUnattempted) ? POLL_FIRST_ATTEMPT_MS : false,
  });

/** One delivery with its attempts, polled until the first attempt has finished. */
export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhook-delivery', id],
    queryFn: ({ signal }) => call(getWebhookDelivery, { params: { id }, signal }),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && isUnattempted(data) ? POLL_FIRST_ATTEMPT_MS : false,
  });

/** True while no attempt of a delivery has finished. */
export function isUnattempted({ state, attempts }: Pick<WebhookDelivery, 'state' | 'attempts'>): boolean {
  return state === 'waiting' && attempts === 0;
}

/** Refetches the log of deliveries after a call, and returns the response of the call. */
async function refetchLogAfter<Body>(response: Promise<Body>): Promise<Body> {
  const body = await response;
  void queryClient.invalidateQueries({ queryKey: ['webhook-deliveries'] });
  return body;
}

/** Resends deliveries; the log is refetched after each call. */
export const resendActions = {
  one: (id: string) => refetchLogAfter(call(resendWebhookDelivery, { params: { id } })),
  many: (body: BodyInput<typeof resendWebhookDeliveries>) =>
    refetchLogAfter(call(resendWebhookDeliveries, { body })),
};
