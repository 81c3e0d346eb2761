import { type DueChargeView, dueChargeViews } from '@jangada/contract';
import { type Period, periodFrom } from '../../panel/period.ts';

/** The filter of the list of charges with a due date, kept in the URL. Its period is that of the due dates. */
export type DueChargesFilter = Period & {
  /** Absent for the open charges. */
  view?: Exclude<DueChargeView, 'open'> | 'all';
  search?: string;
  /** The charge whose detail is open. */
  id?: string;
};

const SEARCH_MAX_LENGTH = 100;

/**
 * Reads the filter from the parameters of a URL. Invalid values are dropped, so that an old or broken link
 * still opens.
 */
export function dueChargesFilterFrom(urlParams: Record<string, unknown>): DueChargesFilter {
  const view = ([...dueChargeViews, 'all'] as const).find((name) => name === urlParams['view']);
  const search = urlParams['search'] == null ? '' : String(urlParams['search']).trim();
  const id = urlParams['id'] == null ? '' : String(urlParams['id']);
  return {
    ...(view !== undefined && view !== 'open' && { view }),
    ...periodFrom(urlParams),
    ...(search !== '' && { search: search.slice(0, SEARCH_MAX_LENGTH) }),
    ...(id !== '' && { id: id.slice(0, SEARCH_MAX_LENGTH) }),
  };
}

/** The query parameters of the call for a filter. */
export function dueChargesQueryOf({ view, from, to, search }: DueChargesFilter) {
  return {
    ...(view !== 'all' && { view: view ?? ('open' as const) }),
    ...(from && { from }),
    ...(to && { to }),
    ...(search && { search }),
  };
}
