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
const PAGE = 25;

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
      call(listPaymentLinks, { query: { status, limit: PAGE, before: pageParam }, signal }),
  });

export const linkQuery = (id: string) =>
  queryOptions({
    queryKey: [LINKS, 'one', id],
    queryFn: ({ signal }) => call(getPaymentLink, { params: { id }, signal }),
  });

/** Counter codes, page by page, newest first. */
export const codesQuery = ({ status }: OffersFilter) =>
  infiniteQueryOptions({
    ...paging,
    queryKey: [CODES, 'list', status],
    queryFn: ({ signal, pageParam }) =>
      call(listCounterCodes, { query: { status, limit: PAGE, before: pageParam }, signal }),
  });

export const codeQuery = (id: string) =>
  queryOptions({
    queryKey: [CODES, 'one', id],
    queryFn: ({ signal }) => call(getCounterCode, { params: { id }, signal }),
  });

const LATEST = 5;

export type CameBy = { payment_link_id: string } | { counter_code_id: string };

/** The newest payments that came by a link or a counter code, those too whose money went back since. */
export const paymentsQuery = (cameBy: CameBy) =>
  queryOptions({
    queryKey: ['payment_link_id' in cameBy ? LINKS : CODES, 'payments', cameBy],
    queryFn: async ({ signal }) => {
      const pages = await Promise.all(
        (['paid', 'refunded'] as const).map((status) =>
          call(listPayments, { query: { ...cameBy, status, limit: LATEST }, signal }),
        ),
      );
      const newest = pages.flatMap(({ data }) => data);
      newest.sort((one, other) => (other.paid_at ?? '').localeCompare(one.paid_at ?? ''));
      return newest.slice(0, LATEST);
    },
  });

export type NewLink = BodyInput<typeof createPaymentLink>;
export type LinkChange = Omit<BodyInput<typeof updatePaymentLink>, 'version'>;

type Kind = typeof LINKS | typeof CODES;
type Listed<Offer> = InfiniteData<{ data: Offer[] }>;

/** Prepends a new item to the cached lists at once; after a failure they show whether it was made. */
async function made<Offer extends { id: string }>(kind: Kind, answer: Promise<Offer>): Promise<Offer> {
  const offer = await answer.catch((failure: unknown) => {
    void queryClient.invalidateQueries({ queryKey: [kind, 'list'] });
    throw failure;
  });
  const lead = ({ pages: [first, ...others], ...list }: Listed<Offer>) => ({
    ...list,
    pages: first
      ? [{ ...first, data: [offer, ...first.data.filter(({ id }) => id !== offer.id)] }, ...others]
      : others,
  });
  for (const status of [undefined, 'active'])
    queryClient.setQueryData<Listed<Offer>>([kind, 'list', status], (list) => list && lead(list));
  return kept(kind, answer);
}

/** Writes the response into the cached detail and lists at once; the lists are refetched in the background. */
async function kept<Offer extends { id: string }>(kind: Kind, answer: Promise<Offer>): Promise<Offer> {
  const offer = await answer;
  queryClient.setQueryData([kind, 'one', offer.id], offer);
  queryClient.setQueriesData<Listed<Offer>>(
    { queryKey: [kind, 'list'] },
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page) => ({
          ...page,
          data: page.data.map((one) => (one.id === offer.id ? offer : one)),
        })),
      },
  );
  void queryClient.invalidateQueries({ queryKey: [kind, 'list'] });
  return offer;
}

/** The mutations of payment links. */
export const linkActions = {
  create: (body: NewLink) => made(LINKS, call(createPaymentLink, { body })),
  change: ({ id, version }: PaymentLink, body: LinkChange) =>
    kept(LINKS, call(updatePaymentLink, { params: { id }, body: { ...body, version } })),
  /** Everything else stays as it was seen. */
  turn: (link: PaymentLink, active: boolean) => {
    const { title, description, amount, max_payments, ends_at, success_url } = link;
    const body = { title, description, amount, max_payments, ends_at, success_url, active };
    return linkActions.change(link, body);
  },
  readAgain: () => queryClient.invalidateQueries({ queryKey: [LINKS] }),
};

/** The mutations of counter codes. */
export const codeActions = {
  create: (body: BodyInput<typeof createCounterCode>) => made(CODES, call(createCounterCode, { body })),
  change: ({ id, version }: CounterCode, body: { name: string; active: boolean }) =>
    kept(CODES, call(updateCounterCode, { params: { id }, body: { ...body, version } })),
  turn: (code: CounterCode, active: boolean) => codeActions.change(code, { name: code.name, active }),
  readAgain: () => queryClient.invalidateQueries({ queryKey: [CODES] }),
};
