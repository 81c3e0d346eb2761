import { PAGE_SIZE } from '@jangada/contract';
import type { Query } from '@tanstack/react-query';
import { feedQuery, taxesQuery, walletQuery } from '../api/queries.ts';
import { hasFailed, queryClient } from '../api/query.ts';
import { feedQueryOf } from '../features/transactions/feed-filter.ts';
import { session } from '../session/session.ts';
import { paths } from './paths.ts';
import type { AppRouter } from './router.tsx';

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

/** Refetches the frame's failed queries when another screen opens, because the frame never remounts to retry them. */
export function refetchFailedQueries(router: AppRouter): () => void {
  let failed: Query[] = [];
  const stops = [
    router.subscribe('onBeforeNavigate', ({ pathChanged }) => {
      failed = pathChanged
        ? queryClient.getQueryCache().findAll({ type: 'active', predicate: hasFailed })
        : [];
    }),
    router.subscribe('onRendered', () => {
      for (const query of failed.splice(0))
        if (query.isActive() && hasFailed(query)) void query.fetch().catch(() => {});
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
