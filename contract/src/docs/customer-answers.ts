import type { ExampleIds } from './example-calls.ts';

/** The body with which the documentation creates a customer. */
export const customerBody = {
  name: 'Maria Souza',
  document: '529.982.247-25',
  email: 'maria@example.com',
  phone: '(81) 99999-8888',
  external_id: 'aluno-1',
};

type Times = Readonly<Record<'createdAt' | 'changedAt', string>>;

/** The responses that the documentation shows for customers, by the name of the endpoint. */
export function customerAnswers(
  ids: ExampleIds,
  { createdAt, changedAt }: Times,
): Readonly<Record<string, unknown>> {
  const customer = {
    ...customerBody,
    id: ids.customer,
    phone: '+5581999998888',
    address: null,
    note: null,
    page_url: 'https://pix.example.com/c/00000001k3TzQ9vB2mXw8RfLpHs6Jd',
    reminders_stopped_at: null,
    archived_at: null,
    created_at: createdAt,
    updated_at: createdAt,
    version: 1,
  };
  return {
    listCustomers: { data: [customer], next: null },
    createCustomer: customer,
    getCustomer: {
      ...customer,
      totals: {
        open: { count: 2, amount: 180 },
        overdue: { count: 1, amount: 92.4 },
        paid: { count: 5, amount: 450 },
      },
    },
    updateCustomer: { ...customer, updated_at: changedAt, version: 2 },
    renewCustomerPage: {
      ...customer,
      page_url: 'https://pix.example.com/c/00000001Xv5kR8tYq2LmN7pWcZ4dBf',
      updated_at: changedAt,
    },
  };
}
