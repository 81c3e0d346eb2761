/**
 * The state of the screen of customers, kept in the URL. `search` and `status` filter the list; `id` is the customer whose
 * detail is open.
 */
export type CustomersFilter = { search?: string; status?: 'archived'; id?: string };

export const SEARCH_MAX_LENGTH = 100;

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Reads the filter from the parameters of a URL. Invalid values are dropped, so that an old or broken link still opens. */
export function customersFilterFrom(urlParams: Record<string, unknown>): CustomersFilter {
  const { status, id } = urlParams;
  // The router reads a search for a number as a number.
  const search = String(urlParams['search'] ?? '').slice(0, SEARCH_MAX_LENGTH);
  return {
    ...(search !== '' && { search }),
    ...(status === 'archived' && { status }),
    ...(typeof id === 'string' && uuid.test(id) && { id: id.toLowerCase() }),
  };
}
