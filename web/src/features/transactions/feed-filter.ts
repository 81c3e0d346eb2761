import { MAX_FEED_OFFSET, PAGE_SIZE } from '@jangada/contract';
import { formatCount } from '../../format/money.ts';
import { type Period, periodFrom } from '../../panel/period.ts';
import { pageFrom } from '../../panel/url-params.ts';

/**
 * The filter of the transactions list, which the API calls the feed. It is kept in the URL so that a view can be shared
 * and the Back button works.
 */
export type FeedFilter = Period & {
  status?: 'paid' | 'pending';
  /** Counted from 1; absent on the first page. */
  page?: number;
  search?: string;
  /** The transaction whose detail is open. */
  id?: string;
};

/** The last page that can be opened, because the API refuses larger offsets. */
const LAST_PAGE = Math.floor(MAX_FEED_OFFSET / PAGE_SIZE.transactions) + 1;
const SEARCH_MAX_LENGTH = 64;

/**
 * Reads the filter from the parameters of a URL. Invalid values are dropped, so that an old or broken link
 * still opens.
 */
export function feedFilterFrom(urlParams: Record<string, unknown>): FeedFilter {
  const { status } = urlParams;
  const search = urlParams['search'] == null ? '' : String(urlParams['search']).trim();
  const id = urlParams['id'] == null ? '' : String(urlParams['id']);
  return {
    ...((status === 'paid' || status === 'pending') && { status }),
    ...pageFrom(urlParams, LAST_PAGE),
    ...periodFrom(urlParams),
    ...(search !== '' && { search: search.slice(0, SEARCH_MAX_LENGTH) }),
    ...(id !== '' && { id: id.slice(0, SEARCH_MAX_LENGTH) }),
  };
}

/** The query parameters of the transactions call for a filter. */
export function feedQueryOf({ status, page = 1, from, to, search }: FeedFilter) {
  const limit = PAGE_SIZE.transactions;
  return {
    offset: (page - 1) * limit,
    limit,
    ...(status && { status }),
    ...(from && { from }),
    ...(to && { to }),
    ...(search && { search }),
  };
}

/** True when the list is filtered by period or search. The API's counts by status do not apply to such a list. */
export function hasPeriodOrSearch({ from, to, search }: FeedFilter): boolean {
  return from !== undefined || to !== undefined || search !== undefined;
}

/** The number of pages that can be opened. Transactions further down the list must be found by period or search. */
export function pageCountOf(total: number): number {
  return Math.max(1, Math.min(Math.ceil(total / PAGE_SIZE.transactions), LAST_PAGE));
}

/**
 * The last page, to be opened when the requested page is beyond the end of the list. Undefined when the requested page
 * has rows, or when the whole list is empty.
 */
export function replacementPage(
  { page = 1 }: FeedFilter,
  { transactions, total }: { transactions: readonly unknown[]; total: number },
): number | undefined {
  const last = pageCountOf(total);
  return transactions.length === 0 && total > 0 && last < page ? last : undefined;
}

/**
 * `counted` is false when the provider (the gateway behind the dashboard) does not count the list; `total` is then the
 * number of rows known to exist.
 */
type FeedTotal = { total: number; counted: boolean };

/**
 * The positions of the rows on the page, and the total: `1–10 de 1.405`. The gateway counts a list narrowed by period
 * or search only far enough to know whether there is a next page, so an incomplete count is shown as `mais de 10`.
 */
export function rangeOf(filter: FeedFilter, rowCount: number, { total, counted }: FeedTotal): string {
  const first = ((filter.page ?? 1) - 1) * PAGE_SIZE.transactions + 1;
  const last = first + rowCount - 1;
  const isTotalKnown = (counted && !hasPeriodOrSearch(filter)) || total <= last;
  const totalText = isTotalKnown ? formatCount(total) : `mais de ${formatCount(last)}`;
  return `${formatCount(first)}–${formatCount(last)} de ${totalText}`;
}

/** The caption of the list: `Transações 1–10 de 1.405`. */
export function summaryOf(filter: FeedFilter, rowCount: number, total: FeedTotal): string {
  return `Transações ${rangeOf(filter, rowCount, total)}`;
}
