import { PAGE_SIZE, type WithdrawalStatus, withdrawalStatuses } from '@jangada/contract';
import { pageCountOf, pageFrom } from '../../panel/url-params.ts';

/** The filter of the withdrawals list, kept in the URL so that a view can be shared and the Back button works. */
export type HistoryFilter = {
  status?: WithdrawalStatus;
  /** Counted from 1; absent on the first page. */
  page?: number;
  /** The withdrawal whose detail is open. */
  id?: string;
};

const ID_MAX_LENGTH = 64;

/**
 * Reads the filter from the parameters of a URL. Invalid values are dropped, so that an old or broken link
 * still opens.
 */
export function historyFilterFrom(urlParams: Record<string, unknown>): HistoryFilter {
  const status = withdrawalStatuses.find((name) => name === urlParams['status']);
  const id = urlParams['id'] == null ? '' : String(urlParams['id']);
  return {
    ...(status !== undefined && { status }),
    ...pageFrom(urlParams),
    ...(id !== '' && { id: id.slice(0, ID_MAX_LENGTH) }),
  };
}

/** The query parameters of the withdrawals call for a filter. */
export function historyQueryOf({ status, page = 1 }: HistoryFilter) {
  return { page, pageSize: PAGE_SIZE.withdrawals, ...(status && { status }) };
}

/**
 * The last page, to be opened when the requested page is beyond the end of the list. Undefined when the requested page
 * has rows, or when the whole list is empty.
 */
export function replacementPage(
  { page = 1 }: HistoryFilter,
  list: { withdrawals: readonly unknown[]; total: number; limit: number },
): number | undefined {
  const last = pageCountOf(list);
  return list.withdrawals.length === 0 && list.total > 0 && last < page ? last : undefined;
}
