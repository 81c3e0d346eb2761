// `isExtension`: the call is beyond the specification (docs/specification.md), so other gateways may lack it.
import * as z from 'zod/mini';
import {
  chargeBatch,
  chargeBatches,
  chargeBatchesQuery,
  chargeBatchLines,
  chargeBatchLinesQuery,
  newChargeBatch,
} from './charge-batch.ts';
import { endpoint } from './endpoint.ts';

const tag = 'Lotes';
const batchParams = z.object({ id: z.uuid() });

export const createChargeBatch = endpoint({
  name: 'createChargeBatch',
  method: 'POST',
  path: '/pix/batches',
  access: 'merchant',
  permission: 'manage-charges',
  scope: 'charges',
  tag,
  summary: 'Cria até 10.000 cobranças de uma vez. A resposta vem logo; as cobranças são criadas em seguida.',
  body: newChargeBatch,
  maxBodyBytes: 16 * 1024 * 1024,
  status: 202,
  response: chargeBatch,
  refusals: ['ACCOUNT_NOT_APPROVED', 'API_KEY_INACTIVE', 'ALREADY_CHARGED'],
  idempotent: true,
  isExtension: true,
  example: {
    reference: 'Mensalidades de janeiro',
    items: [
      {
        external_id: 'mensalidade-41',
        amount: 150,
        due_date: '2030-01-10',
        payer: { name: 'Francisco da Silva', document: '529.982.247-25' },
        fine: { type: 'percent', value: 2 },
      },
    ],
  },
});

export const listChargeBatches = endpoint({
  name: 'listChargeBatches',
  method: 'GET',
  path: '/pix/batches',
  access: 'merchant',
  permission: 'read-charges',
  scope: 'read',
  tag,
  summary: 'Os lotes da conta, do mais novo para o mais antigo.',
  query: chargeBatchesQuery,
  response: chargeBatches,
  refusals: [],
  isExtension: true,
});

export const getChargeBatch = endpoint({
  name: 'getChargeBatch',
  method: 'GET',
  path: '/pix/batches/{id}',
  access: 'merchant',
  permission: 'read-charges',
  scope: 'read',
  tag,
  summary: 'Um lote, com quantas linhas já viraram cobranças.',
  params: batchParams,
  response: chargeBatch,
  refusals: ['CHARGE_BATCH_NOT_FOUND'],
  isExtension: true,
});

export const listChargeBatchLines = endpoint({
  name: 'listChargeBatchLines',
  method: 'GET',
  path: '/pix/batches/{id}/items',
  access: 'merchant',
  permission: 'read-charges',
  scope: 'read',
  tag,
  summary: 'As linhas de um lote, na ordem em que vieram, com a cobrança ou a recusa de cada uma.',
  params: batchParams,
  query: chargeBatchLinesQuery,
  response: chargeBatchLines,
  refusals: ['CHARGE_BATCH_NOT_FOUND'],
  isExtension: true,
});

export const cancelChargeBatch = endpoint({
  name: 'cancelChargeBatch',
  method: 'POST',
  path: '/pix/batches/{id}/cancel',
  access: 'merchant',
  permission: 'manage-charges',
  scope: 'charges',
  tag,
  summary: 'Cancela as linhas de um lote que ainda esperam. As cobranças já criadas continuam valendo.',
  params: batchParams,
  response: chargeBatch,
  refusals: ['CHARGE_BATCH_NOT_FOUND'],
  isExtension: true,
});

export const exportChargeBatch = endpoint({
  name: 'exportChargeBatch',
  method: 'GET',
  path: '/authed/charge-batches/{id}/result',
  access: 'session',
  permission: 'read-charges',
  tag: 'Conta',
  summary: 'O resultado de um lote em CSV: de cada linha a cobrança, com link e código, ou a recusa.',
  params: batchParams,
  response: z.string(),
  file: ['text/csv; charset=utf-8'],
  refusals: ['CHARGE_BATCH_NOT_FOUND'],
  isExtension: true,
});

export const chargeBatchEndpoints = [
  createChargeBatch,
  listChargeBatches,
  getChargeBatch,
  listChargeBatchLines,
  cancelChargeBatch,
  exportChargeBatch,
] as const;
