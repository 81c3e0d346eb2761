// `isExtension`: the call is beyond the specification (docs/specification.md), so other gateways may lack it.
import * as z from 'zod/mini';
import { DEFENCE_MAX_BYTES, defence, disputeDetail, disputesPage, disputesQuery } from './dispute.ts';
import { endpoint } from './endpoint.ts';

const idParams = z.object({ id: z.uuid() });

export const listDisputes = endpoint({
  name: 'listDisputes',
  method: 'GET',
  isBatchable: true,
  path: '/authed/disputes',
  access: 'session',
  permission: 'read-money',
  tag: 'Disputas',
  summary: 'As disputas (MED) da conta, da mais nova para a mais antiga.',
  query: disputesQuery,
  response: disputesPage,
  refusals: [],
  isExtension: true,
});

export const getDispute = endpoint({
  name: 'getDispute',
  method: 'GET',
  path: '/authed/disputes/{id}',
  access: 'session',
  permission: 'read-money',
  tag: 'Disputas',
  summary: 'Uma disputa.',
  params: idParams,
  response: disputeDetail,
  refusals: ['DISPUTE_NOT_FOUND'],
  isExtension: true,
});

export const defendDispute = endpoint({
  name: 'defendDispute',
  method: 'POST',
  path: '/authed/disputes/{id}/defence',
  access: 'session',
  permission: 'defend-disputes',
  tag: 'Disputas',
  summary: 'Envia a defesa de uma disputa ao banco, com texto e arquivos.',
  params: idParams,
  body: defence,
  maxBodyBytes: DEFENCE_MAX_BYTES,
  response: disputeDetail,
  refusals: [
    'DISPUTE_NOT_FOUND',
    'DISPUTE_CLOSED',
    'DISPUTE_TOO_LATE',
    'DISPUTE_DEFENDED',
    'FILE_NOT_ACCEPTED',
    'FILE_TOO_LARGE',
  ],
  isExtension: true,
});

/** Returns a file of a defence in base64, byte for byte as the merchant sent it. */
export const getDisputeFile = endpoint({
  name: 'getDisputeFile',
  method: 'GET',
  path: '/authed/disputes/{id}/files/{fileId}',
  access: 'session',
  permission: 'read-money',
  tag: 'Disputas',
  summary: 'Um arquivo da defesa, em base64.',
  params: z.object({ id: z.uuid(), fileId: z.uuid() }),
  response: z.object({ name: z.string(), type: z.string(), content: z.string() }),
  refusals: ['DISPUTE_NOT_FOUND', 'NOT_FOUND'],
  isExtension: true,
});

export const disputeEndpoints = [listDisputes, getDispute, defendDispute, getDisputeFile] as const;
