import { QueryClient } from '@tanstack/react-query';

/** How long what no screen shows is kept. Money does not get old in a cache: coming back later loads anew. */
const UNUSED_MS = 30_000;

/** The cache of server state: no refetch on focus, mount or reconnect, no retries. Changes arrive by `moneyChanged`. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      refetchOnWindowFocus: false,
      refetchOnMount: false,
      refetchOnReconnect: false,
      retry: false,
      gcTime: UNUSED_MS,
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});
