import { type AddressId, addressId, pageFrom } from '../../panel/address-search.ts';

/** The filter of the list of pending verifications, as the URL has it. */
export type PendingFilter = {
  /** Counted from 1, and absent on the first page. */
  page?: number;
  /** The user whose verification is open. */
  id?: AddressId;
};

/** Reads the filter from an address. Invalid values are dropped, so that an old or broken link still opens. */
export function pendingFilterFrom(address: Record<string, unknown>): PendingFilter {
  const id = addressId(address['id']);
  return {
    ...pageFrom(address),
    ...(id !== undefined && { id }),
  };
}
