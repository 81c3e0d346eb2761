// `isExtension`: the call is beyond the specification (docs/specification.md), so other gateways may lack it.
import * as z from 'zod/mini';
import { changedCounterCode, counterCode, newCounterCode } from './counter-code.ts';
import { endpoint } from './endpoint.ts';
import { offersQuery } from './offers-query.ts';

const tag = 'QR Codes de balcão';
const idParams = z.object({ id: z.uuid() });

export const listCounterCodes = endpoint({
  name: 'listCounterCodes',
  method: 'GET',
  path: '/counter-codes',
  access: 'merchant',
  permission: 'read-charges',
  scope: 'read',
  tag,
  summary: 'Os QR Codes de balcão, do mais novo para o mais antigo.',
  query: offersQuery,
  response: z.object({ data: z.array(counterCode), next: z.nullable(z.string()) }),
  refusals: [],
  isExtension: true,
});

export const createCounterCode = endpoint({
  name: 'createCounterCode',
  method: 'POST',
  path: '/counter-codes',
  access: 'merchant',
  permission: 'manage-charges',
  scope: 'charges',
  tag,
  summary: 'Cria um código para imprimir, que não vence: cada Pix que chega por ele é um pagamento.',
  body: newCounterCode,
  status: 201,
  response: counterCode,
  refusals: [
    'ACCOUNT_NOT_APPROVED',
    'AMOUNT_INVALID',
    'AMOUNT_TOO_SMALL',
    'AMOUNT_TOO_LARGE',
    'AMOUNT_BELOW_FEE',
    'COUNTER_CODES_NOT_AT_OWN_BANK',
  ],
  isExtension: true,
  idempotent: true,
  example: { name: 'Caixa 1' },
});

export const getCounterCode = endpoint({
  name: 'getCounterCode',
  method: 'GET',
  path: '/counter-codes/{id}',
  access: 'merchant',
  permission: 'read-charges',
  scope: 'read',
  tag,
  summary: 'Um QR Code de balcão, com quantos pagamentos já chegaram por ele.',
  params: idParams,
  response: counterCode,
  refusals: ['COUNTER_CODE_NOT_FOUND'],
  isExtension: true,
});

export const updateCounterCode = endpoint({
  name: 'updateCounterCode',
  method: 'PUT',
  path: '/counter-codes/{id}',
  access: 'merchant',
  permission: 'manage-charges',
  scope: 'charges',
  tag,
  summary: 'Muda o nome de um QR Code de balcão, ou o desliga. O que ainda chegar por ele é creditado.',
  params: idParams,
  body: changedCounterCode,
  response: counterCode,
  refusals: ['COUNTER_CODE_NOT_FOUND', 'STALE_VERSION', 'COUNTER_CODES_NOT_AT_OWN_BANK'],
  isExtension: true,
});

export const counterCodeEndpoints = [
  listCounterCodes,
  createCounterCode,
  getCounterCode,
  updateCounterCode,
] as const;
