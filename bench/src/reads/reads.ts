import type { getDailyStats, QueryInput, transactionFeed } from '@jangada/contract';
import { MAX_COUNTED_CHARGES } from '../../../server/src/payments/feed-store.ts';

/** A merchant whose reads are measured. */
export type Reader = {
  readonly userId: number;
  readonly token: string;
  /** The numbers of all payments and of paid ones. */
  readonly total: number;
  readonly paid: number;
  /** Cursors from the newest payment to the oldest. */
  readonly cursors: readonly string[];
  /** An id, an endToEndId and a price among its payments. */
  readonly id: string;
  readonly endToEndId: string;
  readonly price: string;
};

export type ReadRequest =
  | { readonly of: 'feed'; readonly query: QueryInput<typeof transactionFeed> }
  | { readonly of: 'wallet' }
  | { readonly of: 'days'; readonly query: QueryInput<typeof getDailyStats> };

export type Read = {
  readonly name: string;
  /** Whether it must take as long for many payments as for few; other reads are only reported. */
  readonly bound: boolean;
  /** The number of index entries it may walk beyond a few pages: a run of charges, or the highest count. */
  readonly walks: number;
  /** The query of the merchant's `serial`-th read of this kind. */
  ask(reader: Reader, serial: number): ReadRequest;
};

type FeedInput = QueryInput<typeof transactionFeed>;

const pageSize = 10;
/** The offset of the last page, as requested by a screen with numbered pages. */
const lastPage = (count: number) => Math.floor((count - 1) / pageSize) * pageSize;
const cursorOf = ({ cursors }: Reader, serial: number) => cursors[(serial * 7919) % cursors.length];

type Kind = { readonly bound?: boolean; readonly walks?: number };

function feed(name: string, ask: (reader: Reader, serial: number) => FeedInput, kind: Kind = {}): Read {
  const { bound = true, walks = 0 } = kind;
  return { name, bound, walks, ask: (reader, serial) => ({ of: 'feed', query: ask(reader, serial) }) };
}

const run = 1000;
const other = { bound: false };
const otherWalk = { bound: false, walks: MAX_COUNTED_CHARGES };

export const reads: readonly Read[] = [
  feed('feed, first page', () => ({})),
  feed('feed, offset 10,000', () => ({ offset: 10_000 }), { walks: run }),
  feed('feed, any offset', (_, serial) => ({ offset: ((serial * 7919) % 1001) * pageSize }), { walks: run }),
  feed('feed, last page', ({ total }) => ({ offset: lastPage(total) })),
  feed('feed of a status, first page', () => ({ status: 'expired' })),
  feed('feed of a status, last page', ({ paid }) => ({ status: 'paid', offset: lastPage(paid) })),
  feed('feed by cursor, any depth', (reader, serial) => ({ before: cursorOf(reader, serial) })),
  feed('feed of a status by cursor, any depth', (reader, serial) => ({
    status: 'paid',
    before: cursorOf(reader, serial),
  })),
  feed("dashboard's counts", () => ({ limit: 1 })),
  { name: "wallet's figures", bound: true, walks: 0, ask: () => ({ of: 'wallet' }) },
  {
    name: '90 days of the wallet',
    bound: true,
    walks: 0,
    ask: () => ({ of: 'days', query: { days: 90 } }),
  },
  feed('feed of a status, offset 4,000', () => ({ status: 'paid', offset: 4_000 }), otherWalk),
  feed('feed of 30 days', () => ({ from: daysAgo(30) }), otherWalk),
  feed('search for an id', ({ id }) => ({ search: id }), other),
  feed('search for an endToEndId', ({ endToEndId }) => ({ search: endToEndId }), other),
  feed('search for a price', ({ price }) => ({ search: price }), otherWalk),
  feed('search for a price in a status', ({ price }) => ({ search: price, status: 'error' }), otherWalk),
];

export function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}

/** The request path. */
export function pathOf(asked: ReadRequest): string {
  if (asked.of === 'wallet') return '/api/authed/wallet/stats';
  const given = Object.entries(asked.query).map(([name, value]): [string, string] => [name, String(value)]);
  const path = asked.of === 'feed' ? '/api/authed/feed/transactions' : '/api/authed/stats/daily';
  return `${path}?${new URLSearchParams(given)}`;
}
