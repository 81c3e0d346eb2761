// The calls by which people approve what others asked for, and set the policy that demands it.
import * as z from 'zod/mini';
import {
  approvalDetail,
  approvalPolicy,
  approvalRequest,
  approvalsOf,
  approver,
  shownApprovalPolicy,
} from './approval.ts';
import { approvalRefusals, staffApprovalRefusals } from './approval-errors.ts';
import { endpoint } from './endpoint.ts';

const of = z.object({ of: approvalsOf });
const requestId = z.object({ id: z.uuid() });
const tag = 'Aprovações';

export const listApprovals = endpoint({
  name: 'listApprovals',
  method: 'GET',
  isBatchable: true,
  path: '/authed/approvals',
  access: 'session',
  permission: 'see-approvals',
  tag,
  summary: 'Os pedidos de aprovação: os que esperam e os últimos que terminaram.',
  query: of,
  response: z.object({
    open: z.array(approvalRequest),
    ended: z.array(approvalRequest),
    /** How many of the open ones the caller may approve. */
    waiting_for_you: z.int(),
  }),
  refusals: ['FORBIDDEN'],
  isExtension: true,
});

export const getApproval = endpoint({
  name: 'getApproval',
  method: 'GET',
  isBatchable: true,
  path: '/authed/approvals/{id}',
  access: 'session',
  permission: 'see-approvals',
  tag,
  summary: 'Um pedido de aprovação, com o texto exato que se aprova.',
  params: requestId,
  response: z.object({ approval: approvalDetail }),
  refusals: ['APPROVAL_NOT_FOUND'],
  isExtension: true,
});

export const approvalOptions = endpoint({
  name: 'approvalOptions',
  method: 'POST',
  path: '/authed/approvals/{id}/options',
  access: 'session',
  permission: 'approve',
  tag,
  summary: 'Por quais meios a pessoa pode aprovar este pedido. A chave de acesso assina o resumo dele.',
  params: requestId,
  response: z.object({
    methods: z.array(z.enum(['passkey', 'totp'])),
    /** The parameters for the browser's call, whose challenge is the digest; null without a passkey. */
    options: z.nullable(z.record(z.string(), z.unknown())),
    digest: z.string(),
  }),
  refusals: [
    'APPROVAL_NOT_FOUND',
    'APPROVAL_ENDED',
    'APPROVER_NOT_COUNTED',
    'APPROVAL_OF_OWN',
    'OWN_ACCOUNT',
  ],
  isExtension: true,
});

export const approve = endpoint({
  name: 'approve',
  method: 'POST',
  path: '/authed/approvals/{id}/approve',
  access: 'session',
  permission: 'approve',
  tag,
  summary: 'Aprova um pedido de outra pessoa, com uma chave de acesso ou o código do aplicativo.',
  params: requestId,
  body: z.object({
    code: z.optional(
      z
        .string({ error: 'Informe o código.' })
        .check(z.trim(), z.minLength(6, 'O código tem 6 dígitos.'), z.maxLength(10)),
    ),
    credential: z.optional(z.record(z.string(), z.unknown())),
  }),
  response: z.object({ approval: approvalDetail }),
  refusals: [
    'APPROVAL_NOT_FOUND',
    'APPROVAL_ENDED',
    'APPROVER_NOT_COUNTED',
    'APPROVAL_OF_OWN',
    'OWN_ACCOUNT',
    'SECOND_FACTOR_WRONG',
    'PASSKEY_NOT_ACCEPTED',
  ],
  isExtension: true,
});

export const retractApproval = endpoint({
  name: 'retractApproval',
  method: 'POST',
  path: '/authed/approvals/{id}/retract',
  access: 'session',
  permission: 'approve',
  tag,
  summary: 'Retira a própria aprovação, enquanto o pedido não foi cumprido.',
  params: requestId,
  response: z.object({ approval: approvalDetail }),
  refusals: ['APPROVAL_NOT_FOUND', 'APPROVAL_ENDED'],
  isExtension: true,
});

export const rejectApproval = endpoint({
  name: 'rejectApproval',
  method: 'POST',
  path: '/authed/approvals/{id}/reject',
  access: 'session',
  permission: 'approve',
  tag,
  summary: 'Recusa um pedido: nada sai, e o dinheiro reservado volta.',
  params: requestId,
  body: z.object({ reason: z._default(z.string().check(z.trim(), z.maxLength(200)), '') }),
  response: z.object({ approval: approvalDetail }),
  refusals: ['APPROVAL_NOT_FOUND', 'APPROVAL_ENDED'],
  isExtension: true,
});

export const cancelApproval = endpoint({
  name: 'cancelApproval',
  method: 'POST',
  path: '/authed/approvals/{id}/cancel',
  access: 'session',
  permission: 'see-approvals',
  tag,
  summary: 'Desiste de um pedido próprio que ainda espera.',
  params: requestId,
  response: z.object({ approval: approvalDetail }),
  refusals: ['APPROVAL_NOT_FOUND', 'APPROVAL_ENDED', 'APPROVAL_OF_OTHER'],
  isExtension: true,
});

export const getApprovalPolicy = endpoint({
  name: 'getApprovalPolicy',
  method: 'GET',
  isBatchable: true,
  path: '/authed/approval-policy',
  access: 'session',
  permission: 'see-approvals',
  tag,
  summary: 'A política de aprovação da conta e quem aprova.',
  query: of,
  response: z.object({ policy: shownApprovalPolicy, approvers: z.array(approver) }),
  refusals: ['FORBIDDEN'],
  isExtension: true,
});

export const setApprovalPolicy = endpoint({
  name: 'setApprovalPolicy',
  method: 'PUT',
  path: '/authed/approval-policy',
  access: 'session',
  permission: 'manage-approvals',
  tag,
  summary: 'Liga, muda ou desliga a política. Com ela ligada, mudar e desligar também pedem aprovação.',
  body: z.extend(approvalPolicy, { of: approvalsOf }),
  response: z.object({ policy: shownApprovalPolicy, approvers: z.array(approver) }),
  refusals: ['STEP_UP_REQUIRED', 'FACTOR_MISSING', 'FORBIDDEN', ...staffApprovalRefusals],
  stepUp: true,
  isExtension: true,
});

export const askToApprove = endpoint({
  name: 'askToApprove',
  method: 'POST',
  path: '/authed/approvers',
  access: 'session',
  permission: 'approve',
  tag,
  summary: 'Pede que as aprovações desta pessoa passem a contar, com os fatores que ela tem agora.',
  body: of,
  response: z.object({ approver }),
  refusals: ['STEP_UP_REQUIRED', 'FACTOR_MISSING', 'APPROVALS_OFF', 'FORBIDDEN', ...approvalRefusals],
  stepUp: true,
  isExtension: true,
});

export const exportApprovals = endpoint({
  name: 'exportApprovals',
  method: 'GET',
  path: '/authed/approvals-export',
  access: 'session',
  permission: 'read-approvals-export',
  tag,
  summary: 'Todos os pedidos e aprovações em um arquivo que se confere sem o gateway (approvals:verify).',
  query: of,
  response: z.looseObject({
    format: z.string(),
    account: z.int(),
    history: z.array(z.unknown()),
    requests: z.array(z.unknown()),
  }),
  file: ['application/json'],
  refusals: ['FORBIDDEN'],
  isExtension: true,
});

export const approvalEndpoints = [
  listApprovals,
  getApproval,
  approvalOptions,
  approve,
  retractApproval,
  rejectApproval,
  cancelApproval,
  getApprovalPolicy,
  setApprovalPolicy,
  askToApprove,
  exportApprovals,
] as const;
