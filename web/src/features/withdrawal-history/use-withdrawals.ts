import { useQuery } from '@tanstack/react-query';
import { useLiveState } from '../../api/live-state.ts';
import { POLL_MS, withdrawalQuery, withdrawalsQuery } from '../../api/queries.ts';
import { isUnderWay } from '../../format/withdrawal-status.ts';
import { type HistoryFilter, historyQueryOf } from './history-filter.ts';

/** A page of the withdrawals, followed while one of them is under way. */
export function useWithdrawals(filter: HistoryFilter) {
  const nextLook = useNextLook();
  return useQuery({
    ...withdrawalsQuery(historyQueryOf(filter)),
    refetchInterval: ({ state }) =>
      state.data?.withdrawals.some(({ status }) => isUnderWay(status)) === true
        ? nextLook(state.dataUpdateCount)
        : false,
  });
}

/** One withdrawal, followed while it is under way. */
export function useWithdrawal(id: string) {
  const nextLook = useNextLook();
  return useQuery({
    ...withdrawalQuery(id),
    refetchInterval: ({ state }) =>
      state.data !== undefined && isUnderWay(state.data.status) ? nextLook(state.dataUpdateCount) : false,
  });
}

const SOON_MS = 2000;
const SELDOM_MS = 15_000;
const SOON_LOOKS = 3;

/**
 * When to ask again for what is under way. The live channel tells of changes, but one may have passed before it was
 * open: most withdrawals end within seconds, just when the screen that shows them is loaded.
 */
function useNextLook() {
  const live = useLiveState();
  return (looks: number) => {
    if (live !== 'open') return POLL_MS;
    return looks < SOON_LOOKS ? SOON_MS : SELDOM_MS;
  };
}
