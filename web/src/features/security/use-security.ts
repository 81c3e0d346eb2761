import { getSecurity, listSessions } from '@jangada/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { queryClient } from '../../api/query.ts';
import { clearSecondFactorRequired } from '../../api/step-up.ts';

/**
 * The account's security settings. The server behind the API may be another provider's. Only our own gateway has this
 * call; elsewhere it fails with `UnsupportedCallError`.
 */
export const securityQuery = queryOptions({
  queryKey: ['security'],
  queryFn: async ({ signal }) => {
    const state = await call(getSecurity, { signal });
    // `given` is true if this session was opened with the second factor, or the user has given the factor since.
    if (state.given) clearSecondFactorRequired();
    return state;
  },
  // The settings may have changed in another tab or on another device.
  refetchOnMount: 'always',
});

/** The open sessions of the account. Only our own gateway has this call. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) => (await call(listSessions, { signal })).sessions,
  refetchOnMount: 'always',
});

/** Refetches the security settings and the sessions after one of them changed. */
export async function refetchSecurity(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries(securityQuery),
    queryClient.invalidateQueries(sessionsQuery),
  ]);
}
