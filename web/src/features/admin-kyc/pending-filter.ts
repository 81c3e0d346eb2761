import { type AddressId, addressId, pageFrom } from '../../panel/address-search.ts';

/** The filter of the list of pending verifications, as kept in the URL. */
export type PendingFilter = {
  /** The page number, counted from 1. Absent on the first page. */
  page?: number;
  /** The user whose verification is open. */
  id?: AddressId;
};

/** Reads the filter from a URL. Invalid values are left out, so that an old or broken link still opens the page. */
export function pendingFilterFrom(search: Record<string, unknown>): PendingFilter {
  const id = addressId(search['id']);
  return {
    ...pageFrom(search),
    ...(id !== undefined && { id }),
  };
}
