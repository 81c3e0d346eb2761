// The queries of the pages with which administrators watch over the money of all merchants, and the conversion of their
// amounts.

import {
  type AdminWithdrawal,
  adminBankMovements,
  adminConnections,
  adminDisputes,
  adminFeeStatements,
  adminGetDispute,
  adminOpenItems,
  adminReconciliation,
  adminSuspense,
  adminSystemHealth,
  adminUserBasics,
  adminWithdrawals,
} from '@jangada/contract';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { queryClient } from '../../api/query.ts';
import { centsOf } from '../../format/cents-of.ts';
import type { AdminConnectionsFilter } from './connections-filter.ts';
import type { AdminFeesFilter } from './fee-statements-filter.ts';
import type { DisputeView, WithdrawalView } from './list-filters.ts';

/**
 * Fetches every list on these pages again, because one action of an administrator can change several lists. The keys of
 * all these queries begin with `admin`.
 */
export function refetchAdminLists(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['admin'] });
}

export const centsOrNull = (brl: number | null): number | null => (brl === null ? null : centsOf(brl));

type WithdrawalPage = { withdrawals: AdminWithdrawal[]; next: string | null };

/** The withdrawals of all merchants, page by page, newest first. */
export const adminWithdrawalsQuery = (view: WithdrawalView) =>
  infiniteQueryOptions({
    queryKey: ['admin', 'withdrawals', view],
    queryFn: ({ signal, pageParam }): Promise<WithdrawalPage> =>
      call(adminWithdrawals, { query: { view, before: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
  });

/** The received Pix that match no charge, page by page. */
export const suspenseQuery = (page: number) =>
  queryOptions({
    queryKey: ['admin', 'suspense', page],
    queryFn: ({ signal }) => call(adminSuspense, { query: { page }, signal }),
    placeholderData: keepPreviousData,
  });

/**
 * The open items, page by page. An open item is a discrepancy between our books and the bank that an administrator must
 * examine. With `isClosed`, the items that were already closed.
 */
export const openItemsQuery = (isClosed: boolean, page: number) =>
  queryOptions({
    queryKey: ['admin', 'open-items', isClosed, page],
    queryFn: ({ signal }) =>
      call(adminOpenItems, { query: { closed: isClosed ? 'true' : 'false', page }, signal }),
    placeholderData: keepPreviousData,
  });

/** The result of the reconciliation, the comparison of our books with the bank's lists and its balance. */
export const reconciliationQuery = queryOptions({
  queryKey: ['admin', 'reconciliation'],
  queryFn: ({ signal }) => call(adminReconciliation, { signal }),
});

/** The changes of the bank account other than Pix, such as bank fees, page by page. */
export const movementsQuery = (page: number) =>
  queryOptions({
    queryKey: ['admin', 'movements', page],
    queryFn: ({ signal }) => call(adminBankMovements, { query: { page }, signal }),
    placeholderData: keepPreviousData,
  });

/** The disputes of all merchants, page by page. */
export const adminDisputesQuery = (view: DisputeView, page: number) =>
  queryOptions({
    queryKey: ['admin', 'disputes', view, page],
    queryFn: ({ signal }) => call(adminDisputes, { query: { view, page }, signal }),
    placeholderData: keepPreviousData,
  });

/** One dispute of the merchant `userId`, which is 0 for a dispute that belongs to no merchant. */
export const adminDisputeQuery = (userId: string, id: string) =>
  queryOptions({
    queryKey: ['admin', 'dispute', userId, id],
    queryFn: ({ signal }) => call(adminGetDispute, { params: { userId, id }, signal }),
  });

/** The merchants' own bank accounts, page by page. */
export const adminConnectionsQuery = ({ state, broken, search, page = 1 }: AdminConnectionsFilter) =>
  queryOptions({
    queryKey: ['admin', 'connections', { state, broken, search, page }],
    queryFn: ({ signal }) =>
      call(adminConnections, {
        query: { page, state, search, ...(broken && { broken: '1' as const }) },
        signal,
      }),
    placeholderData: keepPreviousData,
  });

export const systemHealthQuery = queryOptions({
  queryKey: ['admin', 'health'],
  queryFn: ({ signal }) => call(adminSystemHealth, { signal }),
});

/** The users whose name, e-mail, username or document contains the search text. */
export const userSearchQuery = (search: string) =>
  queryOptions({
    queryKey: ['admin', 'users', search],
    queryFn: ({ signal }) => call(adminUserBasics, { query: { search }, signal }),
  });

/** The fee statements that a filter selects, page by page. */
export const adminFeesQuery = ({ status, search, page = 1 }: AdminFeesFilter) =>
  queryOptions({
    queryKey: ['admin', 'fees', status, search, page],
    queryFn: ({ signal }) =>
      call(adminFeeStatements, {
        query: {
          page,
          ...(status === 'overdue' ? { overdue: '1' as const } : status && { status }),
          ...(search !== undefined && { search }),
        },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
