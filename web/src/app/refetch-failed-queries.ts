import type { Query } from '@tanstack/react-query';
import { hasFailed, queryClient } from '../api/query.ts';
import type { AppRouter } from './router.tsx';

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
