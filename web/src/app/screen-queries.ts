import { PAGE_SIZE } from '@jangada/contract';
import { feedQuery, taxesQuery, walletQuery } from '../api/queries.ts';
import { hasFailed, queryClient } from '../api/query.ts';
import { feedQueryOf } from '../features/transactions/feed-filter.ts';
import type { Router } from '../navigation/index.ts';
import { session } from '../session/session.ts';
import { paths } from './paths.ts';

const prefetch = queryClient.prefetchQuery.bind(queryClient);

/**
 * Starts the first queries of a merchant's screen. They use only calls that every provider (the gateway behind the
 * dashboard, ours or another one) implements.
 */
const firstQueries: Readonly<Record<string, () => unknown>> = {
  [paths.dashboard]: () => [
    prefetch(walletQuery),
    prefetch(feedQuery({ limit: PAGE_SIZE.recentTransactions })),
  ],
  [paths.wallet]: () => [prefetch(walletQuery), prefetch(taxesQuery)],
  [paths.transactions]: () => prefetch(feedQuery(feedQueryOf({}))),
};

/**
 * While the stored token is still being checked, prefetches the first data of the screen at a URL, which saves a round
 * trip on a slow connection. Only merchants' data is prefetched, because staff have other screens.
 */
export function prefetchScreen({ pathname, search }: { pathname: string; search: string }): void {
  const { token, user } = session.getState();
  if (token !== null && user?.role === 'USER' && search === '') firstQueries[pathname]?.();
}

/**
 * Refetches failed queries of the frame (sidebar, top bar) when another screen opens. The frame never remounts, and so
 * would never retry them. Returns a function that ends the refetching.
 */
export function refetchFailedQueries(router: Router): () => void {
  return router.onScreenChange(() => {
    const failedQueries = queryClient.getQueryCache().findAll({ type: 'active', predicate: hasFailed });
    return () => {
      for (const query of failedQueries)
        if (query.isActive() && hasFailed(query)) void query.fetch().catch(() => {});
    };
  });
}
