import { type SubscriptionStatus, subscriptionStatuses } from '@jangada/contract';

/** The filter of the list of subscriptions, as kept in the URL. With `id`, one subscription is shown instead of the list. */
export type SubscriptionsFilter = { status?: SubscriptionStatus; search?: string; id?: string };

export const SEARCH_MAX_LENGTH = 100;
const ID_MAX_LENGTH = 64;

/** Reads the filter from a URL. Invalid values are left out, so that an old or broken link still opens the page. */
export function subscriptionsFilterFrom(params: Record<string, unknown>): SubscriptionsFilter {
  const textOf = (name: string) => (params[name] == null ? '' : String(params[name]).trim());
  const status = subscriptionStatuses.find((candidate) => candidate === params['status']);
  const search = textOf('search').slice(0, SEARCH_MAX_LENGTH);
  const id = textOf('id').slice(0, ID_MAX_LENGTH);
  return {
    ...(status !== undefined && { status }),
    ...(search !== '' && { search }),
    ...(id !== '' && { id }),
  };
}

/** For whom the form for a new subscription is opened, or that many are made from a file. */
export type NewSubscriptionSearch = { customer?: string; from?: 'file' };

export function newSubscriptionSearchFrom({
  customer,
  from,
}: Record<string, unknown>): NewSubscriptionSearch {
  if (from === 'file') return { from };
  const id = customer == null ? '' : String(customer).trim().slice(0, ID_MAX_LENGTH);
  return id === '' ? {} : { customer: id };
}
