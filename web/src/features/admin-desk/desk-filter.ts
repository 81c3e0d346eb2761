import { type AddressId, addressId, pageFrom } from '../../panel/address-search.ts';

// The filters of the desk, the operator's part of the panel. Each is read from the URL, without its invalid values.

export const withdrawalViews = ['open', 'held', 'in-doubt', 'completed', 'failed'] as const;
export type WithdrawalView = (typeof withdrawalViews)[number];
/** Without `view`, the list shows withdrawals in progress. */
export type WithdrawalDeskFilter = { view?: Exclude<WithdrawalView, 'open'> };

export function withdrawalDeskFilterFrom(address: Record<string, unknown>): WithdrawalDeskFilter {
  const view = withdrawalViews.find((candidate) => candidate === address['view']);
  return view === undefined || view === 'open' ? {} : { view };
}

export type PageFilter = { page?: number };

export function pageFilterFrom(address: Record<string, unknown>): PageFilter {
  return pageFrom(address);
}

export const reconciliationViews = ['items', 'closed', 'days', 'movements'] as const;
export type ReconciliationView = (typeof reconciliationViews)[number];
/** Without `view`, the list shows open items. */
export type ReconciliationFilter = { view?: Exclude<ReconciliationView, 'items'>; page?: number };

export function reconciliationFilterFrom(address: Record<string, unknown>): ReconciliationFilter {
  const view = reconciliationViews.find((candidate) => candidate === address['view']);
  return { ...(view !== undefined && view !== 'items' && { view }), ...pageFrom(address) };
}

export const disputeViews = ['open', 'closed'] as const;
export type DisputeView = (typeof disputeViews)[number];
/**
 * Without `view`, the list shows open disputes. `id` and `user` identify the dispute to show; user 0 means
 * that the dispute belongs to no merchant.
 */
export type DisputeDeskFilter = {
  view?: Exclude<DisputeView, 'open'>;
  page?: number;
  id?: string;
  user?: AddressId;
};

const ID_MAX_LENGTH = 64;

export function disputeDeskFilterFrom(address: Record<string, unknown>): DisputeDeskFilter {
  const view = disputeViews.find((candidate) => candidate === address['view']);
  const id = String(address['id'] ?? '').slice(0, ID_MAX_LENGTH);
  const user = String(address['user']) === '0' ? 0 : addressId(address['user']);
  return {
    ...(view !== undefined && view !== 'open' && { view }),
    ...pageFrom(address),
    ...(id !== '' && user !== undefined && { id, user }),
  };
}
