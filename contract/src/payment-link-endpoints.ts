// `isExtension`: the call is beyond the specification (docs/specification.md), so other gateways may lack it.
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { offersQuery } from './offers-query.ts';
import { changedPaymentLink, newPaymentLink, paymentLink } from './payment-link.ts';

const tag = 'Links de pagamento';
const idParams = z.object({ id: z.uuid() });
/** The refusals that creating and changing a link have in common. */
const contentRefusals = [
  'AMOUNT_INVALID',
  'AMOUNT_TOO_SMALL',
  'AMOUNT_TOO_LARGE',
  'AMOUNT_BELOW_FEE',
  'INVALID_SUCCESS_URL',
  'LINK_END_INVALID',
] as const;

export const listPaymentLinks = endpoint({
  name: 'listPaymentLinks',
  method: 'GET',
  path: '/payment-links',
  access: 'merchant',
  permission: 'read-charges',
  scope: 'read',
  tag,
  summary: 'Os links de pagamento, do mais novo para o mais antigo.',
  query: offersQuery,
  response: z.object({ data: z.array(paymentLink), next: z.nullable(z.string()) }),
  refusals: [],
  isExtension: true,
});

export const createPaymentLink = endpoint({
  name: 'createPaymentLink',
  method: 'POST',
  path: '/payment-links',
  access: 'merchant',
  permission: 'manage-charges',
  scope: 'charges',
  tag,
  summary: 'Cria um link: uma página em que cada pessoa que paga recebe a sua cobrança.',
  body: newPaymentLink,
  status: 201,
  response: paymentLink,
  refusals: ['ACCOUNT_NOT_APPROVED', ...contentRefusals],
  isExtension: true,
  idempotent: true,
  example: { title: 'Camiseta Jangada', amount: 89.9, max_payments: 100 },
});

export const getPaymentLink = endpoint({
  name: 'getPaymentLink',
  method: 'GET',
  path: '/payment-links/{id}',
  access: 'merchant',
  permission: 'read-charges',
  scope: 'read',
  tag,
  summary: 'Um link, com quantos pagamentos já foram feitos por ele.',
  params: idParams,
  response: paymentLink,
  refusals: ['PAYMENT_LINK_NOT_FOUND'],
  isExtension: true,
});

export const updatePaymentLink = endpoint({
  name: 'updatePaymentLink',
  method: 'PUT',
  path: '/payment-links/{id}',
  access: 'merchant',
  permission: 'manage-charges',
  scope: 'charges',
  tag,
  summary: 'Muda um link por inteiro, ou o desliga. Os códigos que já saíram continuam como estavam.',
  params: idParams,
  body: changedPaymentLink,
  response: paymentLink,
  refusals: ['PAYMENT_LINK_NOT_FOUND', 'STALE_VERSION', ...contentRefusals],
  isExtension: true,
});

export const paymentLinkEndpoints = [
  listPaymentLinks,
  createPaymentLink,
  getPaymentLink,
  updatePaymentLink,
] as const;
