import type { ExampleIds } from './example-calls.ts';

type Shown = Readonly<Record<'createdAt' | 'changedAt' | 'pixCode' | 'txid', string>>;

/** The responses that the documentation shows for subscriptions, by the name of the endpoint. */
export function subscriptionAnswers(
  ids: ExampleIds,
  { createdAt, changedAt, pixCode, txid }: Shown,
): Readonly<Record<string, unknown>> {
  const cycle = {
    number: 1,
    status: 'scheduled',
    due_day: '2030-01-10',
    debit_day: '2030-01-10',
    amount: 99.9,
    reason: null,
    bank_reason: null,
    payment_id: ids.payment,
    other_payment_id: null,
    other_checkout_url: null,
    paid_at: null,
    attempts: [
      {
        day: '2030-01-10',
        retry: false,
        status: 'scheduled',
        end_to_end_id: 'E60701190203001101100a1b2c3d4e5f',
        reason: null,
      },
    ],
  };
  const subscription = {
    id: ids.subscription,
    status: 'active',
    payer: { name: 'Ana Souza', document: '529.982.247-25' },
    customer_id: null,
    description: 'Mensalidade da academia',
    amount: 99.9,
    min_maximum: null,
    period: 'monthly',
    first_day: '2030-01-10',
    last_day: null,
    retry_days: [1, 4, 7],
    authorization: 'code',
    mandate: {
      status: 'approved',
      id_rec: 'RR6070119020291222a1b2c3d4e5f',
      allowed_by: 'code',
      allowed_at: '2029-12-22T14:03:12.480Z',
      ended_at: null,
      reason: null,
    },
    code: pixCode,
    page_url: 'https://pix.example.com/autorizar/000000070KzIf2w46Ge4Q89fRnvcc3k3TzQ',
    first_payment_id: null,
    external_id: null,
    metadata: {},
    end: null,
    ended_at: null,
    next_cycle: cycle,
    next_debit_day: cycle.debit_day,
    created_at: createdAt,
    updated_at: createdAt,
  };
  return {
    createSubscription: {
      ...subscription,
      status: 'waiting',
      mandate: { ...subscription.mandate, status: 'created', allowed_by: null, allowed_at: null },
      next_cycle: null,
      next_debit_day: null,
    },
    listSubscriptions: { data: [subscription], next: null },
    getSubscription: subscription,
    cancelSubscription: {
      ...subscription,
      status: 'ended',
      code: null,
      end: 'by_merchant',
      ended_at: changedAt,
    },
    listCycles: { data: [{ ...cycle, status: 'planned', payment_id: null, attempts: [] }] },
    setCycleAmount: { ...cycle, status: 'planned', amount: 84.5, payment_id: null, attempts: [] },
    cancelCycle: cycle,
    chargeCycle: {
      ...cycle,
      other_payment_id: ids.payment,
      other_checkout_url: `https://pix.example.com/pagar/${txid}`,
    },
    getSubscriptionSummary: {
      waiting: 2,
      active: 38,
      past_due: 3,
      expected_count: 41,
      expected: 4095.9,
      ended: [{ reason: 'by_payer', count: 4 }],
    },
  };
}
