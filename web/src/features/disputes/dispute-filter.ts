import { type DisputeStatus, disputeStatuses } from '@jangada/contract';

/** Which disputes are shown, or the one that is open. It lives in the address. */
export type DisputeFilter = {
  status?: DisputeStatus;
  /** From 1; absent on the first page. */
  page?: number;
  id?: string;
};

const LAST_PAGE = 1000;
const ID_MAX_LENGTH = 64;

/** Reads the filter from an address. What does not fit is left out: an old or broken link still opens. */
export function disputeFilterFrom(address: Record<string, unknown>): DisputeFilter {
  const status = disputeStatuses.find((known) => known === address['status']);
  const page = Number(address['page']);
  const id = address['id'] == null ? '' : String(address['id']);
  return {
    ...(status !== undefined && { status }),
    ...(Number.isInteger(page) && page > 1 && { page: Math.min(page, LAST_PAGE) }),
    ...(id !== '' && { id: id.slice(0, ID_MAX_LENGTH) }),
  };
}
