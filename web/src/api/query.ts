import { type Query, QueryClient, type QueryKey } from '@tanstack/react-query';

/** How long what no screen shows is kept. Money does not get old in a cache: coming back later loads anew. */
const UNUSED_MS = 30_000;

/** The cache of server state: no refetch on focus, mount or reconnect, no retries. Changes arrive by `moneyChanged`. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      refetchOnWindowFocus: false,
      refetchOnMount: false,
      // What was asked for before its screen is drawn, or by a part of it that came earlier, is not asked for anew.
      retryOnMount: false,
      refetchOnReconnect: false,
      retry: false,
      gcTime: UNUSED_MS,
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

/** Forgets a failed query that no screen shows, so that opening its screen again sends a new call. */
queryClient.getQueryCache().subscribe(({ type, query }) => {
  if (type !== 'observerRemoved') return;
  // One part of a screen may take the place of another.
  queueMicrotask(() => {
    if (hasFailed(query) && query.getObserversCount() === 0) queryClient.getQueryCache().remove(query);
  });
});

/** Whether there is nothing to show but the failure. */
export function hasFailed({ state }: Query): boolean {
  return state.status === 'error' && state.data === undefined;
}

/**
 * Puts a call's answer into the cache at once, then reloads that entry in the background. It reloads after a failure
 * too: the call may have been done although its answer was lost.
 */
export async function updateCacheFrom<Kept, Answer>(
  queryKey: QueryKey,
  answer: Promise<Answer>,
  change: (kept: Kept, answer: Answer) => Kept,
): Promise<Answer> {
  try {
    const given = await answer;
    queryClient.setQueryData<Kept>(queryKey, (kept) => kept && change(kept, given));
    return given;
  } finally {
    void queryClient.invalidateQueries({ queryKey });
  }
}
