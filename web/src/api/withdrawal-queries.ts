import {
  getWithdrawal,
  listWithdrawals,
  outFees,
  parseOutFees,
  parseWithdrawal,
  parseWithdrawals,
  type QueryInput,
} from '@jangada/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { callRaw } from './client.ts';

/** The fee of a withdrawal, and its limits. */
export const outFeesQuery = queryOptions({
  queryKey: ['out-fees'],
  queryFn: async ({ signal }) => parseOutFees(await callRaw(outFees, { signal })),
});

export type WithdrawalsQuery = Partial<QueryInput<typeof listWithdrawals>>;

/** A page of withdrawals; the previous page stays visible while another loads. */
export const withdrawalsQuery = (query: WithdrawalsQuery) =>
  queryOptions({
    queryKey: ['withdrawals', query],
    queryFn: async ({ signal }) =>
      parseWithdrawals(await callRaw(listWithdrawals, { query, signal }), query.page),
    placeholderData: keepPreviousData,
  });

export const withdrawalQuery = (id: string) =>
  queryOptions({
    queryKey: ['withdrawal', id],
    queryFn: async ({ signal }) => parseWithdrawal(await callRaw(getWithdrawal, { params: { id }, signal })),
  });
