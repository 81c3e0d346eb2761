import { pageFrom, type UrlId, urlIdFrom } from '../url-params.ts';

/** The most characters that the search accepts. */
export const SEARCH_MAX_LENGTH = 120;
/** The last page of users that the API returns. */
export const LAST_USERS_PAGE = 100;

/** The filter of the user list, kept in the URL. */
export type UsersFilter = {
  search?: string;
  /** Only users who asked to close their account. */
  closing?: true;
  /** From 1; absent on the first page. */
  page?: number;
  /** The user whose detail is open. */
  id?: UrlId;
};

/**
 * Reads the filter from the parameters of a URL. Invalid values are dropped, so that an old or broken link
 * still opens.
 */
export function usersFilterFrom(urlParams: Record<string, unknown>): UsersFilter {
  const search = urlParams['search'] == null ? '' : String(urlParams['search']).trim();
  const id = urlIdFrom(urlParams['id']);
  return {
    ...(String(urlParams['closing']) === 'true' && { closing: true as const }),
    ...(search !== '' && { search: search.slice(0, SEARCH_MAX_LENGTH) }),
    ...pageFrom(urlParams, LAST_USERS_PAGE),
    ...(id !== undefined && { id }),
  };
}
