import { PAGE_SIZE } from '@jangada/contract';
import { feedQuery, taxesQuery, walletQuery } from '../api/queries.ts';
import { queryClient } from '../api/query.ts';
import { feedQueryOf } from '../features/transactions/feed-filter.ts';
import { session } from '../session/session.ts';
import { paths } from './paths.ts';

const ask = queryClient.prefetchQuery.bind(queryClient);

/** With what a merchant's screens begin, of the calls that every provider answers. */
const beginnings: Readonly<Record<string, () => unknown>> = {
  [paths.dashboard]: () => [ask(walletQuery), ask(feedQuery({ limit: PAGE_SIZE.recentTransactions }))],
  [paths.wallet]: () => [ask(walletQuery), ask(taxesQuery)],
  [paths.transactions]: () => ask(feedQuery(feedQueryOf({}))),
};

/**
 * Asks for what the screen at `address` begins with while the stored token is still being tried: on a slow line, a round trip
 * sooner. Whoever was staff when they were here last has other screens.
 */
export function prefetchScreen({ pathname, search }: { pathname: string; search: string }): void {
  const { token, user } = session.getState();
  if (token !== null && user?.role === 'USER' && search === '') beginnings[pathname]?.();
}
