import { pageFrom, type UrlId, urlIdFrom } from '../../panel/url-params.ts';

/** The filter of the list of pending verifications, as kept in the URL. */
export type PendingFilter = {
  /** The page number, counted from 1. Absent on the first page. */
  page?: number;
  /** The user whose verification is open. */
  id?: UrlId;
};

/** Reads the filter from a URL. Invalid values are left out, so that an old or broken link still opens the page. */
export function pendingFilterFrom(search: Record<string, unknown>): PendingFilter {
  const id = urlIdFrom(search['id']);
  return {
    ...pageFrom(search),
    ...(id !== undefined && { id }),
  };
}
