// `isExtension`: the call is beyond the specification (docs/specification.md), so other gateways may lack it.
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { heldPix, heldPixPage, heldPixQuery, payerRules } from './payer-rules.ts';

const tag = 'Pix retidos';
const heldParams = z.object({ id: z.uuid() });

export const getPayerRules = endpoint({
  name: 'getPayerRules',
  method: 'GET',
  path: '/payer-rules',
  access: 'merchant',
  permission: 'read-charges',
  scope: 'read',
  tag,
  summary: 'As regras da conta para outro pagador, pagamento fora do prazo e pagamento em dobro.',
  response: payerRules,
  refusals: [],
  isExtension: true,
});

export const setPayerRules = endpoint({
  name: 'setPayerRules',
  method: 'PUT',
  path: '/payer-rules',
  access: 'merchant',
  permission: 'manage-account',
  scope: 'refunds',
  tag,
  summary: 'Troca as regras da conta. Com null vale o que a Jangada faz sem regra.',
  body: payerRules,
  response: payerRules,
  refusals: [],
  isExtension: true,
  example: { other_payer: 'hold', late: null, doubled: 'give_back' },
});

export const listHeldPix = endpoint({
  name: 'listHeldPix',
  method: 'GET',
  path: '/held-pix',
  access: 'merchant',
  permission: 'read-charges',
  scope: 'read',
  tag,
  summary: 'Os Pix que esperam a sua decisão, e os que uma regra devolveu.',
  query: heldPixQuery,
  response: heldPixPage,
  refusals: [],
  isExtension: true,
});

export const acceptHeldPix = endpoint({
  name: 'acceptHeldPix',
  method: 'POST',
  path: '/held-pix/{id}/accept',
  access: 'merchant',
  permission: 'manage-charges',
  scope: 'charges',
  tag,
  summary: 'Aceita um Pix retido: paga a cobrança ou, se ela já foi paga, vira um pagamento à parte.',
  params: heldParams,
  response: heldPix,
  refusals: ['PIX_NOT_FOUND', 'SUSPENSE_SETTLED', 'PAYMENT_IN_DISPUTE', 'AMOUNT_BELOW_FEE'],
  isExtension: true,
});

export const giveBackHeldPix = endpoint({
  name: 'giveBackHeldPix',
  method: 'POST',
  path: '/held-pix/{id}/give-back',
  access: 'merchant',
  permission: 'refund',
  scope: 'refunds',
  tag,
  summary: 'Devolve um Pix retido, inteiro, a quem pagou. Não há tarifa.',
  params: heldParams,
  response: heldPix,
  refusals: [
    'PIX_NOT_FOUND',
    'SUSPENSE_SETTLED',
    'REFUND_NOT_SUPPORTED',
    'REFUND_TOO_LATE',
    'MEMBER_DAY_LIMIT',
    'APPROVERS_TOO_FEW',
  ],
  isExtension: true,
});

export const payerRuleEndpoints = [
  getPayerRules,
  setPayerRules,
  listHeldPix,
  acceptHeldPix,
  giveBackHeldPix,
] as const;
