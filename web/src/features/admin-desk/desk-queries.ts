// The queries of the desk, the operator's part of the panel, and the conversion of their amounts.

import {
  type AdminWithdrawal,
  adminBankMovements,
  adminDisputes,
  adminGetDispute,
  adminOpenItems,
  adminReconciliation,
  adminSuspense,
  adminSystemHealth,
  adminUserBasics,
  adminWithdrawals,
  centsFromResponse,
} from '@jangada/contract';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { queryClient } from '../../api/query.ts';
import type { DisputeView, WithdrawalView } from './desk-filter.ts';

/** Fetches every list of the desk again, because one action of an operator can change several lists. */
export function refetchDesk(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['desk'] });
}

/**
 * Converts an amount of the API, in BRL, into integer cents. The response schema has already refused any amount that is
 * not a whole number of cents, so the fallback 0 is never used.
 */
export const centsOf = (brl: number): number => centsFromResponse(brl) ?? 0;
export const centsOrNull = (brl: number | null): number | null => (brl === null ? null : centsOf(brl));

type WithdrawalPage = { withdrawals: AdminWithdrawal[]; next: string | null };

/** The withdrawals of all merchants, page by page, newest first. */
export const allWithdrawalsQuery = (view: WithdrawalView) =>
  infiniteQueryOptions({
    queryKey: ['desk', 'withdrawals', view],
    queryFn: ({ signal, pageParam }): Promise<WithdrawalPage> =>
      call(adminWithdrawals, { query: { view, before: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
  });

export const suspenseQuery = (page: number) =>
  queryOptions({
    queryKey: ['desk', 'suspense', page],
    queryFn: ({ signal }) => call(adminSuspense, { query: { page }, signal }),
    placeholderData: keepPreviousData,
  });

/** The open items, or with `isClosed` the items that were closed, page by page. */
export const openItemsQuery = (isClosed: boolean, page: number) =>
  queryOptions({
    queryKey: ['desk', 'open-items', isClosed, page],
    queryFn: ({ signal }) =>
      call(adminOpenItems, { query: { closed: isClosed ? 'true' : 'false', page }, signal }),
    placeholderData: keepPreviousData,
  });

export const reconciliationQuery = queryOptions({
  queryKey: ['desk', 'reconciliation'],
  queryFn: ({ signal }) => call(adminReconciliation, { signal }),
});

export const movementsQuery = (page: number) =>
  queryOptions({
    queryKey: ['desk', 'movements', page],
    queryFn: ({ signal }) => call(adminBankMovements, { query: { page }, signal }),
    placeholderData: keepPreviousData,
  });

export const allDisputesQuery = (view: DisputeView, page: number) =>
  queryOptions({
    queryKey: ['desk', 'disputes', view, page],
    queryFn: ({ signal }) => call(adminDisputes, { query: { view, page }, signal }),
    placeholderData: keepPreviousData,
  });

export const deskDisputeQuery = (userId: string, id: string) =>
  queryOptions({
    queryKey: ['desk', 'dispute', userId, id],
    queryFn: ({ signal }) => call(adminGetDispute, { params: { userId, id }, signal }),
  });

export const systemHealthQuery = queryOptions({
  queryKey: ['desk', 'health'],
  queryFn: ({ signal }) => call(adminSystemHealth, { signal }),
});

/** The users whose name, e-mail, username or document contains the search text. */
export const userSearchQuery = (search: string) =>
  queryOptions({
    queryKey: ['desk', 'users', search],
    queryFn: ({ signal }) => call(adminUserBasics, { query: { search }, signal }),
  });
