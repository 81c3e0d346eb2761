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
export function disputeFilterFrom(search: Record<string, unknown>): DisputeFilter {
  const status = disputeStatuses.find((candidate) => candidate === search['status']);
  const id = search['id'] == null ? '' : String(search['id']);
  return {
    ...(status !== undefined && { status }),
    ...pageFrom(search),
    ...(id !== '' && { id: id.slice(0, ID_MAX_LENGTH) }),
  };
}
