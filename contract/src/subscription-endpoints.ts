// `isExtension`: the calls are beyond the specification (docs/specification.md), so other gateways may lack them.
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { chargeBrl } from './money.ts';
import {
  cycle,
  newSubscription,
  subscription,
  subscriptionSummary,
  subscriptionsQuery,
} from './subscription.ts';

const tag = 'Assinaturas';
const idParams = z.object({ id: z.uuid() });
const cycleParams = z.object({
  id: z.uuid(),
  number: z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100_000)),
});
const amountRefusals = [
  'AMOUNT_INVALID',
  'AMOUNT_TOO_SMALL',
  'AMOUNT_TOO_LARGE',
  'AMOUNT_BELOW_FEE',
] as const;
const accountRefusals = [
  'ACCOUNT_NOT_APPROVED',
  'API_KEY_INACTIVE',
  'BANK_NOT_CONNECTED',
  'BANK_ACCOUNT_SUSPENDED',
  'FEES_OVERDUE',
  'RECURRING_NOT_SUPPORTED',
  'DEBIT_ACCOUNT_MISSING',
] as const;

export const createSubscription = endpoint({
  name: 'createSubscription',
  method: 'POST',
  path: '/subscriptions',
  access: 'merchant',
  permission: 'manage-charges',
  scope: 'charges',
  tag,
  summary: 'Cria uma assinatura: o pagador autoriza uma vez, e o banco dele debita cada período.',
  body: newSubscription,
  status: 201,
  response: subscription,
  refusals: [
    ...accountRefusals,
    ...amountRefusals,
    'SUBSCRIPTION_INVALID',
    'CUSTOMER_NOT_FOUND',
    'CUSTOMER_ARCHIVED',
    'PAYMENT_PROCESSING_ERROR',
  ],
  isExtension: true,
  idempotent: true,
  example: {
    payer: { name: 'Ana Souza', document: '529.982.247-25' },
    description: 'Mensalidade da academia',
    amount: 99.9,
    period: 'monthly',
    first_day: '2030-01-10',
    authorization: 'code',
  },
});

export const listSubscriptions = endpoint({
  name: 'listSubscriptions',
  method: 'GET',
  path: '/subscriptions',
  access: 'merchant',
  permission: 'read-charges',
  scope: 'read',
  tag,
  summary: 'As assinaturas, da mais nova para a mais antiga.',
  query: subscriptionsQuery,
  response: z.object({ data: z.array(subscription), next: z.nullable(z.string()) }),
  refusals: [],
  isExtension: true,
});

export const getSubscription = endpoint({
  name: 'getSubscription',
  method: 'GET',
  path: '/subscriptions/{id}',
  access: 'merchant',
  permission: 'read-charges',
  scope: 'read',
  tag,
  summary: 'Uma assinatura, com a autorização do pagador.',
  params: idParams,
  response: subscription,
  refusals: ['SUBSCRIPTION_NOT_FOUND'],
  isExtension: true,
});

export const cancelSubscription = endpoint({
  name: 'cancelSubscription',
  method: 'POST',
  path: '/subscriptions/{id}/cancel',
  access: 'merchant',
  permission: 'manage-charges',
  scope: 'charges',
  tag,
  summary:
    'Termina uma assinatura e cancela a autorização no banco. O que ainda pode ser cancelado não é debitado.',
  params: idParams,
  response: subscription,
  refusals: ['SUBSCRIPTION_NOT_FOUND', 'SUBSCRIPTION_ENDED'],
  isExtension: true,
});

export const listCycles = endpoint({
  name: 'listCycles',
  method: 'GET',
  path: '/subscriptions/{id}/cycles',
  access: 'merchant',
  permission: 'read-charges',
  scope: 'read',
  tag,
  summary: 'Os ciclos de uma assinatura, do mais novo para o mais antigo, com cada tentativa de débito.',
  params: idParams,
  query: z.object({
    limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 24),
    /** Only cycles with smaller numbers. */
    before: z.optional(z.coerce.number().check(z.int(), z.minimum(1))),
  }),
  response: z.object({ data: z.array(cycle) }),
  refusals: ['SUBSCRIPTION_NOT_FOUND'],
  isExtension: true,
});

export const setCycleAmount = endpoint({
  name: 'setCycleAmount',
  method: 'PUT',
  path: '/subscriptions/{id}/cycles/{number}',
  access: 'merchant',
  permission: 'manage-charges',
  scope: 'charges',
  tag,
  summary:
    'Diz o valor de um ciclo de uma assinatura de valor variável, antes que ele seja enviado ao banco.',
  params: cycleParams,
  body: z.object({ amount: chargeBrl }),
  response: cycle,
  refusals: [
    'SUBSCRIPTION_NOT_FOUND',
    'CYCLE_NOT_FOUND',
    'CYCLE_TOO_LATE',
    'SUBSCRIPTION_INVALID',
    ...amountRefusals,
  ],
  isExtension: true,
});

export const cancelCycle = endpoint({
  name: 'cancelCycle',
  method: 'POST',
  path: '/subscriptions/{id}/cycles/{number}/cancel',
  access: 'merchant',
  permission: 'manage-charges',
  scope: 'charges',
  tag,
  summary:
    'Cancela um ciclo, até as 22 h do dia antes do débito. O código dele deixa de valer, e os outros ciclos seguem.',
  params: cycleParams,
  response: cycle,
  refusals: ['SUBSCRIPTION_NOT_FOUND', 'CYCLE_NOT_FOUND', 'CYCLE_TOO_LATE'],
  isExtension: true,
});

export const chargeCycle = endpoint({
  name: 'chargeCycle',
  method: 'POST',
  path: '/subscriptions/{id}/cycles/{number}/charge',
  access: 'merchant',
  permission: 'manage-charges',
  scope: 'charges',
  tag,
  summary:
    'Cria uma cobrança com código para um ciclo que o pagador quer pagar antes, ou que o banco não debitou.',
  params: cycleParams,
  status: 201,
  response: cycle,
  refusals: [
    ...accountRefusals,
    ...amountRefusals,
    'SUBSCRIPTION_NOT_FOUND',
    'CYCLE_NOT_FOUND',
    'CYCLE_TOO_LATE',
    'CHARGE_ALREADY_PAID',
    'PAYMENT_PROCESSING_ERROR',
  ],
  isExtension: true,
});

export const getSubscriptionSummary = endpoint({
  name: 'getSubscriptionSummary',
  method: 'GET',
  path: '/subscription-summary',
  access: 'merchant',
  permission: 'read-charges',
  scope: 'read',
  tag,
  summary: 'Quantas assinaturas há, o que elas devem trazer em 31 dias, e por que outras terminaram.',
  response: subscriptionSummary,
  refusals: [],
  isExtension: true,
});

export const subscriptionEndpoints = [
  createSubscription,
  listSubscriptions,
  getSubscription,
  cancelSubscription,
  listCycles,
  setCycleAmount,
  cancelCycle,
  chargeCycle,
  getSubscriptionSummary,
] as const;
