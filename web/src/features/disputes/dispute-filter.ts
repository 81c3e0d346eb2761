import { type DisputeStatus, disputeStatuses } from '@jangada/contract';
import { pageFrom } from '../../panel/address-search.ts';

/** The filter of the list of disputes, or the dispute that is shown, as the URL has it. */
export type DisputeFilter = {
  status?: DisputeStatus;
  /** Counted from 1, and absent on the first page. */
  page?: number;
  id?: string;
};

const ID_MAX_LENGTH = 64;

/** Reads the filter from an address. Invalid values are dropped, so that an old or broken link still opens. */
export function disputeFilterFrom(address: Record<string, unknown>): DisputeFilter {
  const status = disputeStatuses.find((candidate) => candidate === address['status']);
  const id = address['id'] == null ? '' : String(address['id']);
  return {
    ...(status !== undefined && { status }),
    ...pageFrom(address),
    ...(id !== '' && { id: id.slice(0, ID_MAX_LENGTH) }),
  };
}
