import { type Query, QueryClient, type QueryKey } from '@tanstack/react-query';

/**
 * How long the cache keeps data that no screen shows. It is short, so that returning later loads current
 * amounts.
 */
const UNUSED_MS = 30_000;

/**
 * The cache of what the server sent. It neither retries nor refetches on focus, mount or reconnect. Instead,
 * `refetchMoney` and `updateCacheFrom` refetch what has changed.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      refetchOnWindowFocus: false,
      refetchOnMount: false,
      // A query that failed while it was prefetched, or for another part of the screen, is not sent again on mount.
      retryOnMount: false,
      refetchOnReconnect: false,
      retry: false,
      gcTime: UNUSED_MS,
      // Sends calls even when the browser reports that it is offline, so that they fail visibly instead of waiting.
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

/** Forgets a failed query that no screen shows, so that opening its screen again sends a new call. */
queryClient.getQueryCache().subscribe(({ type, query }) => {
  if (type !== 'observerRemoved') return;
  // Wait: another part of the screen may be about to mount with the same query.
  queueMicrotask(() => {
    if (hasFailed(query) && query.getObserversCount() === 0) queryClient.getQueryCache().remove(query);
  });
});

/** True when a query failed and has no earlier data to show. */
export function hasFailed({ state }: Query): boolean {
  return state.status === 'error' && state.data === undefined;
}

/**
 * Applies a call's response to a cache entry immediately, then refetches the entry in the background. The entry is
 * refetched after a failure too, because the call may have been carried out although its response was lost.
 */
export async function updateCacheFrom<Cached, Body>(
  queryKey: QueryKey,
  response: Promise<Body>,
  change: (cached: Cached, body: Body) => Cached,
): Promise<Body> {
  try {
    const body = await response;
    queryClient.setQueryData<Cached>(queryKey, (cached) => cached && change(cached, body));
    return body;
  } finally {
    void queryClient.invalidateQueries({ queryKey });
  }
}
