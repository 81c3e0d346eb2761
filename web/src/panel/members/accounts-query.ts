import { listAccounts } from '@jangada/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { useSession } from '../../session/session.ts';

/** The accounts of which the person is a member. */
export const accountsQuery = queryOptions({
  queryKey: ['accounts'],
  queryFn: ({ signal }) => call(listAccounts, { signal }),
});

/** The account into which the session looks for the operator's support; null if it does not. */
export function useLookedInto(): { name: string; expires_at: string } | null {
  const account = useSession(({ user }) => user?.account);
  return account?.supportUntil === undefined
    ? null
    : { name: account.name, expires_at: account.supportUntil };
}
