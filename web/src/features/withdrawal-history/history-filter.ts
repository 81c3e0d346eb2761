import { PAGE_SIZE, type WithdrawalStatus, withdrawalStatuses } from '@jangada/contract';

/** What of the list is shown. It lives in the address, so a view can be shared and Back works. */
export type HistoryFilter = {
  status?: WithdrawalStatus;
  /** From 1; absent on the first page. */
  page?: number;
  /** The withdrawal whose detail is open. */
  id?: string;
};

const LAST_PAGE = 1000;
const ID_MAX_LENGTH = 64;

/** Reads the filter from an address. What does not fit is left out: an old or broken link still opens. */
export function historyFilterFrom(address: Record<string, unknown>): HistoryFilter {
  const status = withdrawalStatuses.find((known) => known === address['status']);
  const page = Number(address['page']);
  const id = address['id'] == null ? '' : String(address['id']);
  return {
    ...(status !== undefined && { status }),
    ...(Number.isInteger(page) && page > 1 && { page: Math.min(page, LAST_PAGE) }),
    ...(id !== '' && { id: id.slice(0, ID_MAX_LENGTH) }),
  };
}

/** The query of the list for a filter. */
export function historyQueryOf({ status, page = 1 }: HistoryFilter) {
  return { page, pageSize: PAGE_SIZE.withdrawals, ...(status && { status }) };
}

/** How many pages can be opened. */
export function pageCountOf({ total, limit }: { total: number; limit: number }): number {
  return Math.max(1, Math.min(Math.ceil(total / limit), LAST_PAGE));
}

/** The page to open instead of one beyond the end of the list; undefined where the page has rows, or nothing has. */
export function lastPageBefore(
  { page = 1 }: HistoryFilter,
  list: { withdrawals: readonly unknown[]; total: number; limit: number },
): number | undefined {
  const last = pageCountOf(list);
  return list.withdrawals.length === 0 && list.total > 0 && last < page ? last : undefined;
}
