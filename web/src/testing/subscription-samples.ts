// Sample responses of a gateway about subscriptions, for tests of screens.
import type {
  Cycle,
  getSubscriptionSummary,
  ResponseOf,
  Subscription,
  SubscriptionPage,
} from '@jangada/contract';

const nextYear = new Date().getFullYear() + 1;

/** A cycle that is planned for the next 10 January, and so is always ahead. */
export const plannedCycle: Cycle = {
  number: 4,
  status: 'planned',
  due_day: `${nextYear}-01-10`,
  debit_day: `${nextYear}-01-11`,
  amount: 99.9,
  reason: null,
  bank_reason: null,
  payment_id: null,
  other_payment_id: null,
  other_checkout_url: null,
  paid_at: null,
  attempts: [],
};

export const retryingCycle: Cycle = {
  ...plannedCycle,
  number: 3,
  status: 'retrying',
  due_day: `${nextYear - 1}-12-10`,
  debit_day: `${nextYear - 1}-12-10`,
  payment_id: '0197a4de-5b60-7c11-9d02-4be1f0a6c803',
  attempts: [
    { day: `${nextYear - 1}-12-10`, retry: false, status: 'expired', end_to_end_id: null, reason: null },
    { day: `${nextYear - 1}-12-11`, retry: true, status: 'scheduled', end_to_end_id: null, reason: null },
  ],
};

export const givenUpCycle: Cycle = {
  ...plannedCycle,
  number: 2,
  status: 'given_up',
  due_day: `${nextYear - 1}-11-10`,
  debit_day: `${nextYear - 1}-11-10`,
  reason: 'refused',
  bank_reason: { code: 'AM02', text: 'Valor acima do permitido' },
  payment_id: '0197a4de-5b60-7c11-9d02-4be1f0a6c802',
  other_payment_id: '0197a4de-5b60-7c11-9d02-4be1f0a6c8aa',
  other_checkout_url: 'https://pix.example.com/pagar/00000016abcdefghijklmnopqrstuv',
  attempts: [
    {
      day: `${nextYear - 1}-11-10`,
      retry: false,
      status: 'refused',
      end_to_end_id: 'E60701190202611100800a1b2c3d4e5f',
      reason: { code: 'AM02', text: 'Valor acima do permitido' },
    },
  ],
};

export const paidCycle: Cycle = {
  ...plannedCycle,
  number: 1,
  status: 'paid',
  due_day: `${nextYear - 1}-10-10`,
  debit_day: `${nextYear - 1}-10-13`,
  payment_id: '0197a4de-5b60-7c11-9d02-4be1f0a6c801',
  paid_at: `${nextYear - 1}-10-13T06:12:00.000Z`,
  attempts: [
    {
      day: `${nextYear - 1}-10-13`,
      retry: false,
      status: 'paid',
      end_to_end_id: 'E60701190202610130612a1b2c3d4e5f',
      reason: null,
    },
  ],
};

export const allCycles: Cycle[] = [plannedCycle, retryingCycle, givenUpCycle, paidCycle];

export const activeSubscription: Subscription = {
  id: '0197a4de-5b60-7c11-9d02-4be1f0a6c8e1',
  status: 'active',
  payer: { name: 'Ana Souza', document: '52998224725' },
  customer_id: null,
  description: 'Mensalidade da academia',
  amount: 99.9,
  min_maximum: null,
  period: 'monthly',
  first_day: `${nextYear - 1}-10-10`,
  last_day: null,
  retry_days: [1, 4, 7],
  authorization: 'code',
  mandate: {
    status: 'approved',
    id_rec: 'RR60701190202610018a1b2c3d4e5',
    allowed_by: 'code',
    allowed_at: `${nextYear - 1}-10-02T14:20:00.000Z`,
    ended_at: null,
    reason: null,
  },
  code: null,
  page_url: 'https://pix.example.com/autorizar/k7TzQ9vB2mXw8RfL',
  first_payment_id: null,
  external_id: 'aluna-1043',
  metadata: {},
  end: null,
  ended_at: null,
  next_cycle: plannedCycle,
  next_debit_day: plannedCycle.debit_day,
  created_at: `${nextYear - 1}-10-01T15:00:00.000Z`,
  updated_at: `${nextYear - 1}-10-13T06:12:00.000Z`,
};

const noMandate: Subscription['mandate'] = {
  ...activeSubscription.mandate,
  status: 'created',
  allowed_by: null,
  allowed_at: null,
};

export const waitingSubscription: Subscription = {
  ...activeSubscription,
  id: '0197a4de-5b60-7c11-9d02-4be1f0a6c8e2',
  status: 'waiting',
  payer: { name: 'Bruno Lima', document: '11144477735' },
  mandate: noMandate,
  code: '00020126180014br.gov.bcb.pix5204000053039865802BR5914ACADEMIA ONDA6006RECIFE62070503***80670014br.gov.bcb.pix2545pix.example.com/rec/8a1b2c3d4e5f6a7b8c9d0e6304B6A1',
  external_id: null,
  next_cycle: null,
  next_debit_day: null,
};

export const pastDueSubscription: Subscription = {
  ...activeSubscription,
  id: '0197a4de-5b60-7c11-9d02-4be1f0a6c8e3',
  status: 'past_due',
  payer: { name: 'Carla Menezes', document: '39053344705' },
  next_cycle: retryingCycle,
};

export const variableSubscription: Subscription = {
  ...activeSubscription,
  id: '0197a4de-5b60-7c11-9d02-4be1f0a6c8e4',
  payer: { name: 'Condomínio Edifício Boa Viagem', document: '12345678000195' },
  description: 'Água do mês',
  amount: null,
  min_maximum: 150,
  retry_days: [],
  next_cycle: { ...plannedCycle, amount: null },
};

export const endedSubscription: Subscription = {
  ...activeSubscription,
  id: '0197a4de-5b60-7c11-9d02-4be1f0a6c8e5',
  status: 'ended',
  payer: { name: 'Davi Rocha', document: '86288366757' },
  mandate: {
    ...activeSubscription.mandate,
    status: 'cancelled',
    ended_at: `${nextYear - 1}-11-20T09:00:00.000Z`,
    reason: { code: 'SLDB', text: 'Cancelado pelo pagador' },
  },
  end: 'by_payer',
  ended_at: `${nextYear - 1}-11-20T09:00:00.000Z`,
  next_cycle: null,
  next_debit_day: null,
};

export const subscriptionSummaryOf = (
  changes: Partial<ResponseOf<typeof getSubscriptionSummary>> = {},
): ResponseOf<typeof getSubscriptionSummary> => ({
  waiting: 3,
  active: 41,
  past_due: 2,
  expected_count: 43,
  expected: 4295.7,
  ended: [
    { reason: 'by_payer', count: 2 },
    { reason: 'finished', count: 4 },
  ],
  ...changes,
});

/** The page of a payer who has not allowed the debits yet. */
export const payerPage: SubscriptionPage = {
  kind: 'subscription',
  payee: {
    name: 'Academia Onda',
    legalName: 'Onda Academia de Ginástica Ltda',
    document: { type: 'CNPJ', text: '12.345.678/0001-95' },
    colour: '#0c597d',
    logo: null,
  },
  id: 'k7TzQ9vB2mXw8RfL',
  state: 'waiting',
  payer: { name: 'Ana S.', document: '***.982.247-**' },
  description: 'Mensalidade da academia',
  amountCents: 9990,
  minMaximumCents: null,
  period: 'monthly',
  firstDay: '2027-01-10',
  lastDay: null,
  authorization: 'code',
  code: waitingSubscription.code ?? '',
  nameInCode: null,
  firstPayment: null,
  institution: 'Banco Sandbox',
  now: '2026-12-20T12:00:00.000Z',
  allowedAt: null,
  endedAt: null,
  endedBy: null,
  nextDebit: null,
  unpaid: null,
  payments: [],
};
