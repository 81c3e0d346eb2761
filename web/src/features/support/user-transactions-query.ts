import { adminUserTransactions, parseTransactionFeed } from '@jangada/contract';
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { send } from '../../api/client.ts';

/** The charges of a user, page by page, newest first. Beyond the specification. */
export const userTransactionsQuery = (userId: string, search: string) =>
  infiniteQueryOptions({
    queryKey: ['user-transactions', userId, search],
    queryFn: async ({ signal, pageParam }) => {
      const query = { search: search || undefined, before: pageParam };
      return parseTransactionFeed(await send(adminUserTransactions, { params: { userId }, query, signal }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
