// `isExtension`: the call is beyond the specification (docs/specification.md), so other gateways may lack it.
import * as z from 'zod/mini';
import {
  createdPayment,
  feed,
  feedQuery,
  paymentStatus,
  payments,
  paymentsQuery,
  timelineEntry,
} from './charge.ts';
import { endpoint } from './endpoint.ts';
import { newPayment } from './new-payment.ts';

const idParams = z.object({ id: z.uuid() });

export const createPayment = endpoint({
  name: 'createPayment',
  method: 'POST',
  path: '/pix/new',
  access: 'merchant',
  permission: 'create-charges',
  scope: 'charges',
  tag: 'Pagamentos',
  summary: 'Cria uma cobrança Pix.',
  body: newPayment,
  aliases: { expiresIn: 'expires_in', callback: 'callback_url', callbackUrl: 'callback_url' },
  status: 201,
  response: createdPayment,
  refusals: [
    'API_KEY_REQUIRED',
    'API_KEY_INACTIVE',
    'ACCOUNT_NOT_APPROVED',
    'AMOUNT_INVALID',
    'AMOUNT_TOO_SMALL',
    'AMOUNT_TOO_LARGE',
    'AMOUNT_BELOW_FEE',
    'BANK_NOT_CONNECTED',
    'BANK_ACCOUNT_SUSPENDED',
    'FEES_OVERDUE',
    'CUSTOMER_NOT_FOUND',
    'CUSTOMER_ARCHIVED',
    'DUE_TERMS_INVALID',
    'INVALID_CALLBACK_URL',
    'INVALID_SUCCESS_URL',
    'PAYMENT_PROCESSING_ERROR',
  ],
  idempotent: true,
  example: { amount: 25.9, expires_in: 1800 },
});

export const getPaymentStatus = endpoint({
  name: 'getPaymentStatus',
  method: 'GET',
  path: '/pix/status/{id}',
  access: 'merchant',
  permission: 'see-charges',
  scope: 'read',
  tag: 'Pagamentos',
  summary: 'O estado de uma cobrança.',
  params: idParams,
  response: paymentStatus,
  refusals: ['PAYMENT_NOT_FOUND'],
});

export const listPayments = endpoint({
  name: 'listPayments',
  method: 'GET',
  path: '/pix',
  access: 'merchant',
  permission: 'see-charges',
  scope: 'read',
  tag: 'Pagamentos',
  summary: 'As cobranças, da mais nova para a mais antiga; também pelo seu external_id ou por metadata.',
  query: paymentsQuery,
  response: payments,
  refusals: [],
  isExtension: true,
});

export const cancelPayment = endpoint({
  name: 'cancelPayment',
  method: 'POST',
  path: '/pix/{id}/cancel',
  access: 'merchant',
  permission: 'manage-charges',
  scope: 'charges',
  tag: 'Pagamentos',
  summary: 'Cancela uma cobrança que ninguém pagou: o banco deixa de aceitar o código.',
  params: idParams,
  response: paymentStatus,
  refusals: [
    'PAYMENT_NOT_FOUND',
    'CHARGE_ALREADY_PAID',
    'CHARGE_ENDED',
    'CHARGE_OF_SUBSCRIPTION',
    'PAYMENT_PROCESSING_ERROR',
  ],
  isExtension: true,
});

export const paymentTimeline = endpoint({
  name: 'paymentTimeline',
  method: 'GET',
  path: '/pix/{id}/timeline',
  access: 'merchant',
  permission: 'read-charges',
  scope: 'read',
  tag: 'Pagamentos',
  summary: 'Tudo o que aconteceu com uma cobrança: chamada, banco, livro, webhooks, estornos.',
  params: idParams,
  response: z.object({ data: z.array(timelineEntry) }),
  refusals: ['PAYMENT_NOT_FOUND'],
  isExtension: true,
});

export const transactionFeed = endpoint({
  name: 'transactionFeed',
  method: 'GET',
  isBatchable: true,
  path: '/authed/feed/transactions',
  access: 'session',
  permission: 'read-charges',
  tag: 'Pagamentos',
  summary: 'As cobranças da conta, da mais nova para a mais antiga.',
  query: feedQuery,
  response: feed,
  refusals: ['OFFSET_TOO_DEEP'],
});

export const chargeEndpoints = [
  createPayment,
  getPaymentStatus,
  listPayments,
  cancelPayment,
  paymentTimeline,
  transactionFeed,
] as const;
