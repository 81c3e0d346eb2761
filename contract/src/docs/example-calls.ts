import type { Endpoint } from '../endpoint.ts';
import { WEBHOOK_LIMITS } from '../webhook-endpoint.ts';
import { batchAndHeldPixAnswers } from './batch-and-held-pix-answers.ts';
import { customerAnswers, customerBody } from './customer-answers.ts';
import type { SampleCall } from './print-samples.ts';
import { subscriptionAnswers } from './subscription-answers.ts';

/** The ids in sample calls. The documentation uses those of `exampleIds`; tests pass those of real objects instead. */
export type ExampleIds = {
  readonly payment: string;
  readonly endpoint: string;
  readonly delivery: string;
  readonly event: string;
  readonly link: string;
  readonly counter: string;
  readonly customer: string;
  readonly subscription: string;
  readonly withdrawal: string;
  readonly held: string;
  readonly batch: string;
};

/** The invented ids of the documentation. */
export const exampleIds: ExampleIds = {
  payment: '0b1f7a52-6c1d-4f0e-9a53-2f1d1c9f4a77',
  endpoint: '5a3d9c1e-2b47-4c8f-8e60-7d1f0b9a6c34',
  delivery: 'evt_0b1f7a526c1d4f0e9a532f1d1c9f4a77_paid.1c9f4a77',
  event: 'evt_0b1f7a526c1d4f0e9a532f1d1c9f4a77_paid',
  link: '3c5e8f0a-91d4-4b7e-a6c2-5d0f7b1e9a83',
  counter: '7e2b4d90-6a1f-4c35-b8d7-0f9c3a5e1b62',
  customer: '0199ac4e-7c31-7d20-9b6f-3e8a5c1d7f40',
  subscription: '0199b1d2-4e05-7a6c-8f13-6b2c9d0e7a51',
  withdrawal: '7c0e7d2e-8a1b-4a55-9a6e-0f4a6c1f2b3d',
  held: '019ac1f2-4d10-7b3e-9c58-6e1f0a2d7b94',
  batch: '019ac1f2-5a77-7d02-8b41-3f9c6e2a1d05',
};

/** The parts of a sample call that its endpoint, which has a method, a path and a default body, does not supply. */
type SampleParts = {
  /** The object whose id replaces `{id}` in the path. */
  readonly id?: keyof ExampleIds;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: (ids: ExampleIds) => unknown;
  readonly idempotencyKey?: string;
};

const endpointBody = () => ({
  url: 'https://loja.example/webhooks/jangada',
  description: 'Loja',
  events: ['payment.paid', 'payment.refunded'],
});

const linkBody = {
  title: 'Camiseta Jangada',
  description: 'Algodão, do P ao GG. Envio em dois dias.',
  amount: 89.9,
  max_payments: 100,
  success_url: 'https://loja.example/obrigado',
};

const paidAt = '2026-11-22T14:03:12.480Z';
const paidAtSeconds = Math.floor(Date.parse(paidAt) / 1000);

/** The parts of the sample calls, by the name of the endpoint. An endpoint without parts has no entry. */
const sampleParts: Readonly<Record<string, SampleParts>> = {
  createPayment: {
    idempotencyKey: 'pedido-1001',
    body: () => ({
      amount: 25.9,
      expires_in: 1800,
      external_id: 'pedido-1001',
      metadata: { loja: 'centro' },
      description: 'Pedido 1001',
      success_url: 'https://loja.example/pedidos/1001',
    }),
  },
  getPaymentStatus: { id: 'payment' },
  listPayments: { query: { external_id: 'pedido-1001', limit: '10' } },
  cancelPayment: { id: 'payment' },
  paymentTimeline: { id: 'payment' },
  listPaymentLinks: { query: { status: 'active', limit: '10' } },
  createPaymentLink: { idempotencyKey: 'link-camiseta-1', body: () => linkBody },
  getPaymentLink: { id: 'link' },
  updatePaymentLink: { id: 'link', body: () => ({ ...linkBody, active: false, version: 1 }) },
  listCounterCodes: { query: { limit: '10' } },
  createCounterCode: { idempotencyKey: 'caixa-1' },
  getCounterCode: { id: 'counter' },
  updateCounterCode: { id: 'counter', body: () => ({ name: 'Caixa 2', active: true, version: 1 }) },
  listCustomers: { query: { search: 'maria', limit: '10' } },
  createCustomer: { idempotencyKey: 'aluno-1', body: () => customerBody },
  getCustomer: { id: 'customer' },
  updateCustomer: { id: 'customer', body: () => ({ ...customerBody, archived: false, version: 1 }) },
  renewCustomerPage: { id: 'customer' },
  createSubscription: { idempotencyKey: 'aluno-1-academia' },
  listSubscriptions: { query: { status: 'active', limit: '10' } },
  getSubscription: { id: 'subscription' },
  cancelSubscription: { id: 'subscription' },
  listCycles: { id: 'subscription', query: { limit: '12' } },
  setCycleAmount: { id: 'subscription', body: () => ({ amount: 84.5 }) },
  cancelCycle: { id: 'subscription' },
  chargeCycle: { id: 'subscription' },
  createChargeBatch: { idempotencyKey: 'lote-2026-12' },
  listChargeBatches: { query: { limit: '10' } },
  getChargeBatch: { id: 'batch' },
  listChargeBatchLines: { id: 'batch', query: { state: 'refused', limit: '10' } },
  cancelChargeBatch: { id: 'batch' },
  listHeldPix: { query: { state: 'open', limit: '10' } },
  acceptHeldPix: { id: 'held' },
  giveBackHeldPix: { id: 'held' },
  refundPayment: {
    id: 'payment',
    idempotencyKey: 'devolucao-7',
    body: () => ({ id: 'devolucao-7', amount: 10.5, reason: 'Item em falta' }),
  },
  listRefunds: { id: 'payment' },
  apiWithdraw: { idempotencyKey: 'saque-31' },
  apiListWithdrawals: { query: { status: 'PAID', limit: '10' } },
  apiGetWithdrawal: { id: 'withdrawal' },
  listEvents: { query: { limit: '2' } },
  getEvent: { id: 'event' },
  createWebhookEndpoint: { body: endpointBody },
  getWebhookEndpoint: { id: 'endpoint' },
  updateWebhookEndpoint: { id: 'endpoint', body: endpointBody },
  deleteWebhookEndpoint: { id: 'endpoint' },
  enableWebhookEndpoint: { id: 'endpoint' },
  disableWebhookEndpoint: { id: 'endpoint' },
  testWebhookEndpoint: { id: 'endpoint' },
  rotateWebhookEndpointSecret: { id: 'endpoint' },
  listWebhookDeliveries: { query: { state: 'failed', limit: '10' } },
  getWebhookDelivery: { id: 'delivery' },
  resendWebhookDelivery: { id: 'delivery' },
  resendWebhookDeliveries: { body: ({ delivery }) => ({ ids: [delivery] }) },
  webhookDoctor: {
    body: ({ event }) => ({
      headers: {
        'webhook-id': event,
        'webhook-timestamp': `${paidAtSeconds}000`,
        'webhook-signature': 'v1,3yZ0J0oJm1x0QmM2yN0z8wq5lTgkq1X0bYw0n2cK5mE=',
      },
      body: '{"type":"payment.paid"}',
    }),
  },
};

/** Returns the sample call of an endpoint, with the given ids in its path and body. */
export function exampleCall(endpoint: Endpoint, ids: ExampleIds = exampleIds): SampleCall {
  const { id, query, body, idempotencyKey } = sampleParts[endpoint.name] ?? {};
  const search = query === undefined ? '' : `?${new URLSearchParams(query)}`;
  const requestBody = body?.(ids) ?? endpoint.example;
  return {
    method: endpoint.method,
    path:
      endpoint.path.replace('{id}', id === undefined ? '{id}' : ids[id]).replace('{number}', '1') + search,
    ...(requestBody !== undefined && { body: requestBody }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  };
}

const createdAt = '2026-11-22T14:00:00.000Z';
const changedAt = '2026-11-22T15:30:41.102Z';
const pixCode =
  '00020126580014br.gov.bcb.pix013662f9a3c1-4b7d-4e2a-9c58-1d0e7f6b8a92520400005303986540525.905802BR5907JANGADA6009SAO PAULO62070503***6304A1B2';

const txid = '000000070KzIf2w46Ge4Q89fRnvcc3k3TzQ';
const payment = {
  id: exampleIds.payment,
  external_id: 'pedido-1001',
  metadata: { loja: 'centro' },
  description: 'Pedido 1001',
  success_url: 'https://loja.example/pedidos/1001',
  checkout_url: `https://pix.example.com/pagar/${txid}`,
  status: 'paid',
  amount: 25.9,
  credited_amount: 25.64,
  reserved_amount: 0,
};
const paymentDetails = {
  created_at: createdAt,
  paid_at: paidAt,
  expires_at: '2026-11-22T14:30:00.000Z',
  refunded_amount: 0,
  end_to_end_id: 'E60701190202611221403a1b2c3d4e5f',
  payer: { name: 'João Pereira', document: '***.456.789-**' },
  cancelled_at: null,
  receipt_url: `https://pix.example.com/comprovante/${txid}`,
  payment_link_id: null,
  counter_code_id: null,
};
const transaction = { ...payment, fee: 0.26, ...paymentDetails, content: pixCode };
const link = {
  id: exampleIds.link,
  url: 'https://pix.example.com/link/q7Zt2MvK9wXb4LrN',
  ...linkBody,
  ends_at: null,
  active: true,
  state: 'active',
  payments: 12,
  received: 1078.8,
  created_at: createdAt,
  updated_at: createdAt,
  version: 1,
};

const counter = {
  id: exampleIds.counter,
  name: 'Caixa 1',
  amount: null,
  active: true,
  text: '00020126580014br.gov.bcb.pix013662f9a3c1-4b7d-4e2a-9c58-1d0e7f6b8a925204000053039865802BR5907JANGADA6009SAO PAULO62290525000000074Hq8ZtLw2VbXm9RkP63047C1D',
  print_url: 'https://pix.example.com/balcao/000000074Hq8ZtLw2VbXm9RkP',
  payments: 31,
  received: 1240.5,
  created_at: createdAt,
  updated_at: createdAt,
  version: 1,
};
const refund = {
  id: '9e4d2b71-5f3a-4c0d-b8a6-3c7e1f2d9b50',
  refund_id: 'devolucao-7',
  payment_id: exampleIds.payment,
  status: 'processing',
  amount: 10.5,
  reason: 'Item em falta',
  origin: 'api',
  error: null,
  rtr_id: null,
  created_at: changedAt,
  completed_at: null,
};
const withdrawal = {
  withdrawal_id: exampleIds.withdrawal,
  status: 'PAID',
  amount: 10_000,
  fee: 80,
  returned_amount: 0,
  pix_key: 'maria@example.com',
  pix_key_type: 'email',
  end_to_end_id: 'E00000000202611221400b7d3f5a1c2e',
  error: null,
  created_at: createdAt,
  updated_at: '2026-11-22T14:00:02.310Z',
  completed_at: '2026-11-22T14:00:02.310Z',
};
const activeEndpoint = {
  id: exampleIds.endpoint,
  ...endpointBody(),
  state: 'on',
  off_reason: null,
  off_at: null,
  failing_since: null,
  failures: 0,
  last_delivered_at: null,
  created_at: createdAt,
};
const delivery = {
  id: exampleIds.delivery,
  event_id: exampleIds.event,
  type: 'payment.paid',
  subject_id: exampleIds.payment,
  endpoint_id: exampleIds.endpoint,
  url: endpointBody().url,
  state: 'delivered',
  attempts: 1,
  last_status: 204,
  last_error: null,
  next_attempt_at: null,
  resent: false,
  created_at: paidAt,
  finished_at: '2026-11-22T14:03:12.601Z',
};
const failedDelivery = {
  ...delivery,
  state: 'failed',
  attempts: 11,
  last_status: 500,
  finished_at: '2026-11-23T17:46:02.118Z',
};
const resentDelivery = {
  ...delivery,
  state: 'waiting',
  attempts: 0,
  last_status: null,
  next_attempt_at: changedAt,
  resent: true,
  created_at: changedAt,
  finished_at: null,
};
export const paidEvent = {
  type: 'payment.paid',
  id: exampleIds.payment,
  paymentId: exampleIds.payment,
  status: 'paid',
  amount: 25.9,
  created_at: createdAt,
  updated_at: paidAt,
};
const feedEvent = { id: exampleIds.event, type: 'payment.paid', created_at: paidAt, data: paidEvent };

/**
 * The responses that the documentation shows, by the name of the endpoint. Tests compare them with the schemas and with
 * real responses of the gateway.
 */
export const exampleAnswers: Readonly<Record<string, unknown>> = {
  createPayment: {
    ...payment,
    status: 'pending',
    text: pixCode,
    content: pixCode,
    image: 'data:image/png;base64,iVBORw0KGgo…',
    fee: 0.26,
    created_at: createdAt,
    expires_at: paymentDetails.expires_at,
  },
  getPaymentStatus: { ...payment, ...paymentDetails },
  listPayments: { data: [transaction], next: null },
  cancelPayment: {
    ...payment,
    ...paymentDetails,
    status: 'expired',
    paid_at: null,
    end_to_end_id: null,
    payer: null,
    receipt_url: null,
    cancelled_at: changedAt,
  },
  paymentTimeline: {
    data: [
      {
        at: createdAt,
        kind: 'created',
        title: 'Cobrança criada, e aceita pelo banco',
        facts: [
          { label: 'Valor', value: 'R$ 25,90' },
          { label: 'Feita', value: 'pela API, com a chave da conta' },
        ],
        ok: true,
      },
      {
        at: paidAt,
        kind: 'paid',
        title: 'Paga no banco de quem pagou',
        facts: [{ label: 'endToEndId', value: paymentDetails.end_to_end_id }],
        ok: true,
      },
    ],
  },
  listPaymentLinks: { data: [link], next: null },
  createPaymentLink: { ...link, payments: 0, received: 0 },
  getPaymentLink: link,
  updatePaymentLink: { ...link, active: false, state: 'off', updated_at: changedAt, version: 2 },
  listCounterCodes: { data: [counter], next: null },
  createCounterCode: { ...counter, payments: 0, received: 0 },
  getCounterCode: counter,
  updateCounterCode: { ...counter, name: 'Caixa 2', updated_at: changedAt, version: 2 },
  ...customerAnswers(exampleIds, { createdAt, changedAt }),
  ...subscriptionAnswers(exampleIds, { createdAt, changedAt, pixCode, txid }),
  ...batchAndHeldPixAnswers(exampleIds, { createdAt, paidAt, changedAt }),
  refundPayment: refund,
  listRefunds: {
    refunds: [
      { ...refund, status: 'completed', rtr_id: 'D60701190202611221530f6a7b8c9d0', completed_at: changedAt },
    ],
    refunded_amount: 10.5,
    refunding_amount: 0,
    refundable_amount: 15.4,
    refundable_until: '2027-02-20T14:03:12.480Z',
    blocked_because: null,
  },
  apiWithdraw: {
    message: 'Saque solicitado com sucesso.',
    withdrawal_id: exampleIds.withdrawal,
    amount: 10_000,
    fee: 80,
    status: 'PENDING',
  },
  apiListWithdrawals: { data: [withdrawal], next: null },
  apiGetWithdrawal: withdrawal,
  getBalance: {
    ...{ available: 1250.4, reserved: 86.2, blocked: 0, in_transit: 100, owed: 0 },
    ...{ at_operator: 1250.4, at_own_bank: 0 },
  },
  listEvents: { data: [feedEvent], has_more: false, next: exampleIds.event },
  getEvent: feedEvent,
  listWebhookEndpoints: { endpoints: [activeEndpoint], limit: WEBHOOK_LIMITS.endpoints },
  createWebhookEndpoint: { ...activeEndpoint, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
  getWebhookEndpoint: activeEndpoint,
  updateWebhookEndpoint: activeEndpoint,
  deleteWebhookEndpoint: { success: true },
  enableWebhookEndpoint: activeEndpoint,
  disableWebhookEndpoint: { ...activeEndpoint, state: 'off', off_reason: 'merchant', off_at: changedAt },
  testWebhookEndpoint: {
    ...resentDelivery,
    id: 'evt_5a3d9c1e2b474c8f8e607d1f0b9a6c34_test.2d1f0b9a',
    event_id: 'evt_5a3d9c1e2b474c8f8e607d1f0b9a6c34_test',
    type: 'webhook.test',
    subject_id: exampleIds.endpoint,
    resent: false,
  },
  rotateWebhookEndpointSecret: { secret: 'whsec_Qp3vX0cD8sB1nM6yH5tR2kW9jL4fG7aZ' },
  listWebhookDeliveries: { deliveries: [failedDelivery], has_more: false, next: null },
  getWebhookDelivery: {
    ...delivery,
    body: JSON.stringify(paidEvent),
    log: [
      {
        number: 1,
        at: paidAt,
        duration_ms: 87,
        status: 204,
        error: null,
        error_text: null,
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Jangada-Webhook/1',
          'webhook-id': exampleIds.event,
          'webhook-timestamp': String(paidAtSeconds),
          'webhook-signature': 'v1,3yZ0J0oJm1x0QmM2yN0z8wq5lTgkq1X0bYw0n2cK5mE=',
        },
        answer: '',
      },
    ],
  },
  resendWebhookDelivery: resentDelivery,
  resendWebhookDeliveries: { resent: 1, skipped: 0, has_more: false, last_at: null },
  webhookDoctor: {
    ok: false,
    verdict: 'timestamp-in-milliseconds',
    findings: [
      {
        code: 'timestamp-in-milliseconds',
        message: 'O webhook-timestamp está em milissegundos.',
        hint: 'Use-o como chegou, em segundos. O relógio do JavaScript conta milissegundos: divida por 1000 para comparar.',
      },
      {
        code: 'unknown',
        message: 'Nenhum segredo desta conta fez esta assinatura.',
        hint: 'Se os cabeçalhos e o corpo estão como chegaram, este webhook não veio da Jangada: não acredite nele.',
      },
    ],
  },
};
