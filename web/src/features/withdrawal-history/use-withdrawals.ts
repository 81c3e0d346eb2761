import { useQuery } from '@tanstack/react-query';
import { useLiveState } from '../../api/live-state.ts';
import { POLL_MS } from '../../api/queries.ts';
import { withdrawalQuery, withdrawalsQuery } from '../../api/withdrawal-queries.ts';
import { isInProgress } from '../../format/withdrawal-status.ts';
import { type HistoryFilter, historyQueryOf } from './history-filter.ts';

/** A page of withdrawals, polled while one of them is in progress. */
export function useWithdrawals(filter: HistoryFilter) {
  const pollInterval = usePollInterval();
  return useQuery({
    ...withdrawalsQuery(historyQueryOf(filter)),
    refetchInterval: ({ state }) =>
      state.data?.withdrawals.some(({ status }) => isInProgress(status)) === true
        ? pollInterval(state.dataUpdateCount)
        : false,
  });
}

/** One withdrawal, polled while it is in progress. */
export function useWithdrawal(id: string) {
  const pollInterval = usePollInterval();
  return useQuery({
    ...withdrawalQuery(id),
    refetchInterval: ({ state }) =>
      state.data !== undefined && isInProgress(state.data.status)
        ? pollInterval(state.dataUpdateCount)
        : false,
  });
}

/**
 * The polls while the live channel is open. The channel pushes changes, but it misses those from before it opened. The
 * first polls are quick to find these: most withdrawals end within seconds, often while their screen is still loading.
 */
const FIRST_POLLS = 3;
export const FIRST_POLL_MS = 2000;
const LATER_POLL_MS = 15_000;

/**
 * Returns a function from the number of loads so far to the polling interval in milliseconds, for withdrawals in
 * progress.
 */
function usePollInterval() {
  const liveState = useLiveState();
  return (loadCount: number) => {
    if (liveState !== 'open') return POLL_MS;
    return loadCount < FIRST_POLLS ? FIRST_POLL_MS : LATER_POLL_MS;
  };
}
