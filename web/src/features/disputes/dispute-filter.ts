import { type DisputeStatus, disputeStatuses } from '@jangada/contract';
import { pageFrom } from '../../panel/url-params.ts';

/** The filter of the list of disputes, as kept in the URL. With `id`, one dispute is shown instead of the list. */
export type DisputeFilter = {
  status?: DisputeStatus;
  /** The page number, counted from 1. Absent on the first page. */
  page?: number;
  id?: string;
};

const ID_MAX_LENGTH = 64;

/** Reads the filter from a URL. Invalid values are left out, so that an old or broken link still opens the page. */
export function disputeFilterFrom(search: Record<string, unknown>): DisputeFilter {
  const status = disputeStatuses.find((candidate) => candidate === search['status']);
  const id = search['id'] == null ? '' : String(search['id']);
  return {
    ...(status !== undefined && { status }),
    ...pageFrom(search),
    ...(id !== '' && { id: id.slice(0, ID_MAX_LENGTH) }),
  };
}
