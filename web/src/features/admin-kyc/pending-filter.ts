import { type AddressId, addressId } from '../../panel/address-id.ts';

/** What of the list is shown; it lives in the address. */
export type PendingFilter = {
  /** From 1; absent on the first page. */
  page?: number;
  /** The user whose verification is open. */
  id?: AddressId;
};

const LAST_PAGE = 1000;

/** Reads the filter from an address. What does not fit is left out: an old or broken link still opens. */
export function pendingFilterFrom(address: Record<string, unknown>): PendingFilter {
  const page = Number(address['page']);
  const id = addressId(address['id']);
  return {
    ...(Number.isInteger(page) && page > 1 && { page: Math.min(page, LAST_PAGE) }),
    ...(id !== undefined && { id }),
  };
}
