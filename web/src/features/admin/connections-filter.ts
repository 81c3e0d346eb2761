import { type ConnectionState, connectionStates } from '@jangada/contract';
import { pageFrom, type UrlId, urlIdFrom } from '../../panel/url-params.ts';

/** The filter of the list of merchants' own bank accounts, and the account whose detail is open, as kept in the URL. */
export type AdminConnectionsFilter = {
  state?: ConnectionState;
  /** Only accounts where nothing works now. */
  broken?: true;
  search?: string;
  page?: number;
  id?: UrlId;
};

export const CONNECTION_SEARCH_MAX_LENGTH = 100;

/** Reads the filter from the parameters of a URL. Invalid values are left out, so that an old link still opens. */
export function adminConnectionsFilterFrom(urlParams: Record<string, unknown>): AdminConnectionsFilter {
  const state = connectionStates.find((candidate) => candidate === urlParams['state']);
  const search = String(urlParams['search'] ?? '').trim();
  const id = urlIdFrom(urlParams['id']);
  return {
    ...(state !== undefined && { state }),
    ...(String(urlParams['broken']) === 'true' && { broken: true as const }),
    ...(search !== '' && { search: search.slice(0, CONNECTION_SEARCH_MAX_LENGTH) }),
    ...pageFrom(urlParams),
    ...(id !== undefined && { id }),
  };
}
