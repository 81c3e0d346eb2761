import { useQuery } from '@tanstack/react-query';
import { useLiveState } from '../../api/live-state.ts';
import { POLL_MS, withdrawalQuery, withdrawalsQuery } from '../../api/queries.ts';
import { isUnderWay } from '../../format/withdrawal-status.ts';
import { type HistoryFilter, historyQueryOf } from './history-filter.ts';

/** A page of the withdrawals: followed by the live channel, and asked for while that is not open and one is under way. */
export function useWithdrawals(filter: HistoryFilter) {
  const live = useLiveState();
  return useQuery({
    ...withdrawalsQuery(historyQueryOf(filter)),
    refetchInterval: ({ state }) =>
      live !== 'open' && state.data?.withdrawals.some(({ status }) => isUnderWay(status)) === true
        ? POLL_MS
        : false,
  });
}

/** One withdrawal, followed in the same way. */
export function useWithdrawal(id: string) {
  const live = useLiveState();
  return useQuery({
    ...withdrawalQuery(id),
    refetchInterval: ({ state }) =>
      live !== 'open' && state.data !== undefined && isUnderWay(state.data.status) ? POLL_MS : false,
  });
}
