import { pageFrom, type UrlId, urlIdFrom } from '../../panel/url-params.ts';

// The filters of the administrators' pages about withdrawals, reconciliation and disputes, as kept in the URL. Invalid
// values are left out, so that an old or broken link still opens the page.

/** `held`: not sent until an administrator releases it. `in-doubt`: sent, but the bank did not report the outcome. */
export const withdrawalViews = ['open', 'held', 'in-doubt', 'completed', 'failed'] as const;
export type WithdrawalView = (typeof withdrawalViews)[number];

/** Without `view`, the list shows the withdrawals in progress. */
export type AdminWithdrawalsFilter = { view?: Exclude<WithdrawalView, 'open'> };

export function adminWithdrawalsFilterFrom(search: Record<string, unknown>): AdminWithdrawalsFilter {
  const view = withdrawalViews.find((candidate) => candidate === search['view']);
  return view === undefined || view === 'open' ? {} : { view };
}

export type PageFilter = { page?: number };

export function pageFilterFrom(search: Record<string, unknown>): PageFilter {
  return pageFrom(search);
}

export const reconciliationViews = ['items', 'closed', 'days', 'movements'] as const;
export type ReconciliationView = (typeof reconciliationViews)[number];

/** Without `view`, the list shows the open items. */
export type ReconciliationFilter = { view?: Exclude<ReconciliationView, 'items'>; page?: number };

export function reconciliationFilterFrom(search: Record<string, unknown>): ReconciliationFilter {
  const view = reconciliationViews.find((candidate) => candidate === search['view']);
  return { ...(view !== undefined && view !== 'items' && { view }), ...pageFrom(search) };
}

export const disputeViews = ['open', 'closed'] as const;
export type DisputeView = (typeof disputeViews)[number];

/**
 * Without `view`, the list shows the open disputes. With `id` and `user`, one dispute is shown instead of the list.
 * `user` is the number of the dispute's merchant, or 0 if the dispute belongs to no merchant.
 */
export type AdminDisputesFilter = {
  view?: Exclude<DisputeView, 'open'>;
  page?: number;
  id?: string;
  user?: UrlId;
};

const ID_MAX_LENGTH = 64;

export function adminDisputesFilterFrom(search: Record<string, unknown>): AdminDisputesFilter {
  const view = disputeViews.find((candidate) => candidate === search['view']);
  const id = String(search['id'] ?? '').slice(0, ID_MAX_LENGTH);
  const user = String(search['user']) === '0' ? 0 : urlIdFrom(search['user']);
  return {
    ...(view !== undefined && view !== 'open' && { view }),
    ...pageFrom(search),
    ...(id !== '' && user !== undefined && { id, user }),
  };
}
