import {
  type BodyInput,
  type Customer,
  createCustomer,
  getCustomer,
  getReminders,
  listCustomers,
  listPayments,
  listSubscriptions,
  renewCustomerPage,
  setReminders,
  updateCustomer,
} from '@jangada/contract';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { queryClient } from '../../api/query.ts';
import type { CustomersFilter } from './customers-filter.ts';

const CUSTOMERS = 'customers';
const PAGE_SIZE = 25;
const SHOWN_CHARGES = 5;

/** Customers, page by page, newest first. */
export const customersQuery = ({ search, status }: CustomersFilter) =>
  infiniteQueryOptions({
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }: { next: string | null }) => next ?? undefined,
    placeholderData: keepPreviousData,
    queryKey: [CUSTOMERS, 'list', search, status],
    queryFn: ({ signal, pageParam }) =>
      call(listCustomers, { query: { search, status, limit: PAGE_SIZE, before: pageParam }, signal }),
  });

export const customerQuery = (id: string) =>
  queryOptions({
    queryKey: [CUSTOMERS, 'detail', id],
    queryFn: ({ signal }) => call(getCustomer, { params: { id }, signal }),
  });

/** The newest charges of a customer in one status. */
export const customerChargesQuery = (id: string, status: 'pending' | 'paid') =>
  queryOptions({
    queryKey: [CUSTOMERS, 'charges', id, status],
    queryFn: ({ signal }) =>
      call(listPayments, { query: { customer_id: id, status, limit: SHOWN_CHARGES }, signal }),
  });

/** The newest subscriptions of a customer. */
export const customerSubscriptionsQuery = (id: string) =>
  queryOptions({
    // The live channel refetches what begins so.
    queryKey: ['subscriptions', 'customer', id],
    queryFn: ({ signal }) =>
      call(listSubscriptions, { query: { customer_id: id, limit: SHOWN_CHARGES }, signal }),
  });

export type CustomerBody = BodyInput<typeof createCustomer>;

/** Refetches all of customers after a change, whatever its outcome. */
const refetching = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
  try {
    return await answer;
  } finally {
    void queryClient.invalidateQueries({ queryKey: [CUSTOMERS] });
  }
};

/** The mutations of customers. */
export const customerActions = {
  create: (body: CustomerBody) => refetching(call(createCustomer, { body })),
  /** The call replaces all fields. */
  change: ({ id, version, archived_at }: Customer, body: CustomerBody) =>
    refetching(
      call(updateCustomer, {
        params: { id },
        body: { ...body, archived: archived_at !== null, version },
      }),
    ),
  setArchived: (customer: Customer, archived: boolean) => {
    const { id, version, name, document, email, phone, address, note, external_id } = customer;
    const body = { name, document, email, phone, address, note, external_id, archived, version };
    return refetching(call(updateCustomer, { params: { id }, body }));
  },
  renewPage: ({ id }: Customer) => refetching(call(renewCustomerPage, { params: { id } })),
  refetch: () => queryClient.invalidateQueries({ queryKey: [CUSTOMERS] }),
};

export const remindersQuery = queryOptions({
  queryKey: ['reminders'],
  queryFn: ({ signal }) => call(getReminders, { signal }),
});

/** Saves when and with which words customers are reminded. */
export async function saveReminders(body: BodyInput<typeof setReminders>): Promise<void> {
  queryClient.setQueryData(remindersQuery.queryKey, await call(setReminders, { body }));
}
