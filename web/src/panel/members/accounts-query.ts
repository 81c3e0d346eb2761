import { listAccounts, type ResponseOf } from '@jangada/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { isOwnAccount } from '../../session/account.ts';
import { useSession } from '../../session/session.ts';

/** The accounts of which the person is a member, and the one into which they look for support. */
export const accountsQuery = queryOptions({
  queryKey: ['accounts'],
  queryFn: ({ signal }) => call(listAccounts, { signal }),
});

type LookedInto = NonNullable<ResponseOf<typeof listAccounts>['looking_into']>;

/**
 * The account into which the session looks for the operator's support; null if it does not. Undefined until that is
 * known. Only staff in an account that is not theirs are asked about.
 */
export function useLookedInto(): LookedInto | null | undefined {
  const mayLook = useSession((state) => state.user?.role !== 'USER' && !isOwnAccount(state));
  const accounts = useQuery({ ...accountsQuery, enabled: mayLook });
  if (!mayLook || accounts.isError) return null;
  return accounts.data && (accounts.data.looking_into ?? null);
}
