import {
  type BodyInput,
  type CounterCode,
  createCounterCode,
  createPaymentLink,
  getCounterCode,
  getPaymentLink,
  listCounterCodes,
  listPaymentLinks,
  listPayments,
  type PaymentLink,
  updateCounterCode,
  updatePaymentLink,
} from '@jangada/contract';
import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
} from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { queryClient } from '../../api/query.ts';
import type { OffersFilter } from './offers-filter.ts';

const LINKS = 'payment-links';
const CODES = 'counter-codes';
const PAGE_SIZE = 25;

/** A page of a list; `next` is the cursor of the page that follows, null on the last page. */
type Page = { next: string | null };
const paging = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }: Page) => next ?? undefined,
  placeholderData: keepPreviousData,
};

/** Payment links, page by page, newest first. */
export const linksQuery = ({ status }: OffersFilter) =>
  infiniteQueryOptions({
    ...paging,
    queryKey: [LINKS, 'list', status],
    queryFn: ({ signal, pageParam }) =>
      call(listPaymentLinks, { query: { status, limit: PAGE_SIZE, before: pageParam }, signal }),
  });

export const linkQuery = (id: string) =>
  queryOptions({
    queryKey: [LINKS, 'detail', id],
    queryFn: ({ signal }) => call(getPaymentLink, { params: { id }, signal }),
  });

/** Counter codes, page by page, newest first. */
export const counterCodesQuery = ({ status }: OffersFilter) =>
  infiniteQueryOptions({
    ...paging,
    queryKey: [CODES, 'list', status],
    queryFn: ({ signal, pageParam }) =>
      call(listCounterCodes, { query: { status, limit: PAGE_SIZE, before: pageParam }, signal }),
  });

export const counterCodeQuery = (id: string) =>
  queryOptions({
    queryKey: [CODES, 'detail', id],
    queryFn: ({ signal }) => call(getCounterCode, { params: { id }, signal }),
  });

const LATEST_PAYMENTS_COUNT = 5;

/** The payment link or counter code through which a payment was made. */
export type PaymentOrigin = { payment_link_id: string } | { counter_code_id: string };

/**
 * The newest payments made through a link or counter code, including those refunded since. This takes two calls,
 * because the API lists one status per call.
 */
export const latestPaymentsQuery = (origin: PaymentOrigin) =>
  queryOptions({
    queryKey: ['payment_link_id' in origin ? LINKS : CODES, 'payments', origin],
    queryFn: async ({ signal }) => {
      const pages = await Promise.all(
        (['paid', 'refunded'] as const).map((status) =>
          call(listPayments, { query: { ...origin, status, limit: LATEST_PAYMENTS_COUNT }, signal }),
        ),
      );
      const payments = pages.flatMap(({ data }) => data);
      payments.sort((a, b) => (b.paid_at ?? '').localeCompare(a.paid_at ?? ''));
      return payments.slice(0, LATEST_PAYMENTS_COUNT);
    },
  });

export type NewLink = BodyInput<typeof createPaymentLink>;
export type LinkChange = Omit<BodyInput<typeof updatePaymentLink>, 'version'>;

type OfferKind = typeof LINKS | typeof CODES;
type CachedList<Offer> = InfiniteData<{ data: Offer[] }>;

/**
 * Adds a created offer (a payment link or counter code) to the top of the cached lists immediately. After a failure the
 * lists are refetched: the offer may have been created although the response was lost.
 */
async function cacheCreated<Offer extends { id: string }>(
  kind: OfferKind,
  response: Promise<Offer>,
): Promise<Offer> {
  const offer = await response.catch((failure: unknown) => {
    void queryClient.invalidateQueries({ queryKey: [kind, 'list'] });
    throw failure;
  });
  const prepend = ({ pages: [firstPage, ...morePages], ...list }: CachedList<Offer>) => ({
    ...list,
    pages: firstPage
      ? [{ ...firstPage, data: [offer, ...firstPage.data.filter(({ id }) => id !== offer.id)] }, ...morePages]
      : morePages,
  });
  // A new offer is active, so it belongs to the unfiltered list and to the list of active offers.
  for (const status of [undefined, 'active'])
    queryClient.setQueryData<CachedList<Offer>>([kind, 'list', status], (list) => list && prepend(list));
  return cacheChanged(kind, response);
}

/** Writes the response into the cached detail and lists immediately; the lists are refetched in the background. */
async function cacheChanged<Offer extends { id: string }>(
  kind: OfferKind,
  response: Promise<Offer>,
): Promise<Offer> {
  const offer = await response;
  queryClient.setQueryData([kind, 'detail', offer.id], offer);
  queryClient.setQueriesData<CachedList<Offer>>(
    { queryKey: [kind, 'list'] },
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page) => ({
          ...page,
          data: page.data.map((cached) => (cached.id === offer.id ? offer : cached)),
        })),
      },
  );
  void queryClient.invalidateQueries({ queryKey: [kind, 'list'] });
  return offer;
}

/** The mutations of payment links. Each updates the cache. */
export const linkActions = {
  create: (body: NewLink) => cacheCreated(LINKS, call(createPaymentLink, { body })),
  change: ({ id, version }: PaymentLink, body: LinkChange) =>
    cacheChanged(LINKS, call(updatePaymentLink, { params: { id }, body: { ...body, version } })),
  /** Turns a link on or off. The call replaces all fields, so the other fields are sent unchanged. */
  setActive: (link: PaymentLink, active: boolean) => {
    const { title, description, amount, max_payments, ends_at, success_url } = link;
    const body = { title, description, amount, max_payments, ends_at, success_url, active };
    return linkActions.change(link, body);
  },
  refetch: () => queryClient.invalidateQueries({ queryKey: [LINKS] }),
};

/** The mutations of counter codes. Each updates the cache. */
export const counterCodeActions = {
  create: (body: BodyInput<typeof createCounterCode>) =>
    cacheCreated(CODES, call(createCounterCode, { body })),
  change: ({ id, version }: CounterCode, body: { name: string; active: boolean }) =>
    cacheChanged(CODES, call(updateCounterCode, { params: { id }, body: { ...body, version } })),
  setActive: (code: CounterCode, active: boolean) =>
    counterCodeActions.change(code, { name: code.name, active }),
  refetch: () => queryClient.invalidateQueries({ queryKey: [CODES] }),
};
