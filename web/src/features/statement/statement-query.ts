import { getStatement, parseStatement } from '@jangada/contract';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { send } from '../../api/client.ts';
import type { StatementFilter } from './statement-filter.ts';

const LINES = 50;

/**
 * The statement, page by page, newest first. What was loaded counts as current until money moves: `isStale` says that
 * it did.
 */
export const statementQuery = (filter: StatementFilter) =>
  infiniteQueryOptions({
    queryKey: ['statement', filter] as const,
    queryFn: async ({ signal, pageParam }) =>
      parseStatement(
        await send(getStatement, { query: { ...filter, limit: LINES, before: pageParam }, signal }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    // The figures of one balance never stand under the name of another.
    placeholderData: (before, asked) => (asked?.queryKey[1].account === filter.account ? before : undefined),
    staleTime: Number.POSITIVE_INFINITY,
  });
