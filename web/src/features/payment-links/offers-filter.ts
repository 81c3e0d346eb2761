/**
 * The state of the screens for payment links and counter codes, kept in the URL. `status` filters the list; `id` is the
 * link or code whose detail is open.
 */
export type OffersFilter = { status?: 'active' | 'ended'; id?: string };

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Reads the filter from the parameters of a URL. Invalid values are dropped, so that an old or broken link
 * still opens.
 */
export function offersFilterFrom(urlParams: Record<string, unknown>): OffersFilter {
  const { status, id } = urlParams;
  return {
    ...((status === 'active' || status === 'ended') && { status }),
    ...(typeof id === 'string' && uuid.test(id) && { id: id.toLowerCase() }),
  };
}
