import { pageFrom } from '../../panel/url-params.ts';

/** The page of the list of fee statements, as kept in the URL. With `id`, one statement is shown instead. */
export type FeesFilter = { page?: number; id?: string };

const ID_MAX_LENGTH = 64;

/** Reads the filter from a URL. Invalid values are left out, so that an old or broken link still opens the page. */
export function feesFilterFrom(search: Record<string, unknown>): FeesFilter {
  const id = search['id'] == null ? '' : String(search['id']);
  return { ...pageFrom(search), ...(id !== '' && { id: id.slice(0, ID_MAX_LENGTH) }) };
}
