import type { getDailyStats, QueryInput, transactionFeed } from '@jangada/contract';
import { MAX_COUNTED_CHARGES } from '../../../server/src/payments/feed-store.ts';

/** A merchant whose reads are measured. */
export type Reader = {
  readonly userId: number;
  readonly token: string;
  /** The number of all the merchant's payments. */
  readonly total: number;
  /** The number of the merchant's paid payments. */
  readonly paid: number;
  /** Cursors of the feed, from the newest payment to the oldest. */
  readonly cursors: readonly string[];
  /** The id, endToEndId and price of one of the merchant's payments, to search for. */
  readonly id: string;
  readonly endToEndId: string;
  readonly price: string;
};

/** The request of one read: the feed of transactions, the wallet's figures, or the figures of each day. */
export type ReadRequest =
  | { readonly endpoint: 'feed'; readonly query: QueryInput<typeof transactionFeed> }
  | { readonly endpoint: 'wallet' }
  | { readonly endpoint: 'days'; readonly query: QueryInput<typeof getDailyStats> };

/** One kind of read. Its field names are those of `results/reads.json`. */
export type Read = {
  readonly name: string;
  /** Whether the read must take as long for many payments as for few. Other reads are only reported. */
  readonly bound: boolean;
  /** The number of index entries that the read may walk through in addition to a few pages. */
  readonly walks: number;
  /** Returns the request of the merchant's `serial`-th read of this kind. */
  requestOf(reader: Reader, serial: number): ReadRequest;
};

type FeedInput = QueryInput<typeof transactionFeed>;

const pageSize = 10;
/** Returns the offset of the last page, as a screen with numbered pages requests it. */
const lastPage = (count: number) => Math.floor((count - 1) / pageSize) * pageSize;
/** Selects a cursor. The step is the prime 7919, so successive serials select cursors that are far apart. */
const cursorOf = ({ cursors }: Reader, serial: number) => cursors[(serial * 7919) % cursors.length];

type ReadCosts = { readonly bound?: boolean; readonly walks?: number };

function feed(
  name: string,
  queryOf: (reader: Reader, serial: number) => FeedInput,
  { bound = true, walks = 0 }: ReadCosts = {},
): Read {
  const requestOf = (reader: Reader, serial: number): ReadRequest => ({
    endpoint: 'feed',
    query: queryOf(reader, serial),
  });
  return { name, bound, walks, requestOf };
}

/** The database counts charges in runs of a thousand, so an offset is found by reading the entries of one run. */
const chargesPerRun = 1000;
const unbounded = { bound: false };
/** The feed counts the charges that match a search up to this limit. */
const unboundedCount = { bound: false, walks: MAX_COUNTED_CHARGES };

export const reads: readonly Read[] = [
  feed('feed, first page', () => ({})),
  feed('feed, offset 10,000', () => ({ offset: 10_000 }), { walks: chargesPerRun }),
  feed('feed, any offset', (_, serial) => ({ offset: ((serial * 7919) % 1001) * pageSize }), {
    walks: chargesPerRun,
  }),
  feed('feed, last page', ({ total }) => ({ offset: lastPage(total) })),
  feed('feed of a status, first page', () => ({ status: 'expired' })),
  feed('feed of a status, last page', ({ paid }) => ({ status: 'paid', offset: lastPage(paid) })),
  feed('feed by cursor, any depth', (reader, serial) => ({ before: cursorOf(reader, serial) })),
  feed('feed of a status by cursor, any depth', (reader, serial) => ({
    status: 'paid',
    before: cursorOf(reader, serial),
  })),
  feed("dashboard's counts", () => ({ limit: 1 })),
  { name: "wallet's figures", bound: true, walks: 0, requestOf: () => ({ endpoint: 'wallet' }) },
  {
    name: '90 days of the wallet',
    bound: true,
    walks: 0,
    requestOf: () => ({ endpoint: 'days', query: { days: 90 } }),
  },
  feed('feed of a status, offset 4,000', () => ({ status: 'paid', offset: 4_000 }), unboundedCount),
  feed('feed of 30 days', () => ({ from: daysAgo(30) }), unboundedCount),
  feed('search for an id', ({ id }) => ({ search: id }), unbounded),
  feed('search for an endToEndId', ({ endToEndId }) => ({ search: endToEndId }), unbounded),
  feed('search for a price', ({ price }) => ({ search: price }), unboundedCount),
  feed('search for a price in a status', ({ price }) => ({ search: price, status: 'error' }), unboundedCount),
];

export function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}

export function pathOf(request: ReadRequest): string {
  if (request.endpoint === 'wallet') return '/api/authed/wallet/stats';
  const parameters = Object.entries(request.query).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  const path = request.endpoint === 'feed' ? '/api/authed/feed/transactions' : '/api/authed/stats/daily';
  return `${path}?${new URLSearchParams(parameters)}`;
}
