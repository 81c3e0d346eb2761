import { pageFrom } from '../../panel/url-params.ts';

export const feeViews = ['open', 'overdue', 'paid'] as const;
export type FeeView = (typeof feeViews)[number];

/** The filter of the list of merchants' fee statements, as kept in the URL. Without `status`, all are listed. */
export type AdminFeesFilter = { status?: FeeView; search?: string; page?: number };

export const FEE_SEARCH_MAX_LENGTH = 100;

/** Reads the filter from the parameters of a URL. Invalid values are left out, so that an old link still opens. */
export function adminFeesFilterFrom(urlParams: Record<string, unknown>): AdminFeesFilter {
  const status = feeViews.find((candidate) => candidate === urlParams['status']);
  const search = String(urlParams['search'] ?? '').trim();
  return {
    ...(status !== undefined && { status }),
    ...(search !== '' && { search: search.slice(0, FEE_SEARCH_MAX_LENGTH) }),
    ...pageFrom(urlParams),
  };
}
