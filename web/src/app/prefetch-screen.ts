import { PAGE_SIZE } from '@jangada/contract';
import { feedQuery, taxesQuery, walletQuery } from '../api/queries.ts';
import { queryClient } from '../api/query.ts';
import { feedQueryOf } from '../features/transactions/feed-filter.ts';
import { session } from '../session/session.ts';
import { paths } from './paths.ts';

const ask = queryClient.prefetchQuery.bind(queryClient);

/** The first queries of a merchant's screens, limited to calls that every provider answers. */
const beginnings: Readonly<Record<string, () => unknown>> = {
  [paths.dashboard]: () => [ask(walletQuery), ask(feedQuery({ limit: PAGE_SIZE.recentTransactions }))],
  [paths.wallet]: () => [ask(walletQuery), ask(taxesQuery)],
  [paths.transactions]: () => ask(feedQuery(feedQueryOf({}))),
};

/**
 * Prefetches the first data of the screen at `address` while the stored token is still being checked, which saves a
 * round trip on a slow line. Users who were staff on their last visit have other screens.
 */
export function prefetchScreen({ pathname, search }: { pathname: string; search: string }): void {
  const { token, user } = session.getState();
  if (token !== null && user?.role === 'USER' && search === '') beginnings[pathname]?.();
}
