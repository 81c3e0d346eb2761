// `isExtension`: the call is beyond the specification (docs/specification.md), so other gateways may lack it.
import * as z from 'zod/mini';
import { staffApprovalRefusals } from './approval-errors.ts';
import { endpoint } from './endpoint.ts';
import { brl, brlSum } from './money.ts';
import { paymentRefunds, refund, refundRequest } from './refund.ts';
import { moment } from './user.ts';

const idParams = z.object({ id: z.uuid() });

export const refundPayment = endpoint({
  name: 'refundPayment',
  method: 'POST',
  path: '/pix/{id}/refund',
  access: 'merchant',
  permission: 'refund',
  scope: 'refunds',
  tag: 'Estornos',
  summary: 'Devolve um pagamento, inteiro ou em parte, a quem pagou.',
  params: idParams,
  body: refundRequest,
  aliases: { refund_id: 'id' },
  status: 201,
  response: refund,
  refusals: [
    'MEMBER_DAY_LIMIT',
    'API_KEY_INACTIVE',
    'ACCOUNT_NOT_APPROVED',
    'PAYMENT_NOT_FOUND',
    'REFUND_NOT_SUPPORTED',
    'REFUND_NOT_PAID',
    'REFUND_TOO_LATE',
    'REFUND_EXCEEDS_PAYMENT',
    'REFUND_ID_REUSED',
    'PAYMENT_IN_DISPUTE',
    'DISPUTE_SHORTFALL',
    'AMOUNT_INVALID',
    'INSUFFICIENT_BALANCE',
    'APPROVERS_TOO_FEW',
  ],
  idempotent: true,
});

export const listRefunds = endpoint({
  name: 'listRefunds',
  method: 'GET',
  path: '/pix/{id}/refunds',
  access: 'merchant',
  permission: 'read-charges',
  scope: 'read',
  tag: 'Estornos',
  summary: 'Os estornos de um pagamento, e o que ainda pode ser devolvido.',
  params: idParams,
  response: paymentRefunds,
  refusals: ['PAYMENT_NOT_FOUND'],
  isExtension: true,
});

// Suspense: Pix that match no charge, held by the platform until an administrator assigns or returns them

const pixParams = z.object({ endToEndId: z.string().check(z.maxLength(64)) });
const reason = z
  .string({ error: 'Informe o motivo.' })
  .check(z.trim(), z.minLength(3, 'Informe o motivo.'), z.maxLength(300));

/** A Pix in suspense, that is, one that matches no charge and belongs to no merchant yet. */
export const suspensePix = z.object({
  end_to_end_id: z.string(),
  amount: brl,
  paid_at: moment,
  /** The id of the charge that the payer meant to pay, as the bank reports it; null if it reports none. */
  txid: z.nullable(z.string()),
  /** Why the Pix was not credited: no-txid, unknown-txid, second-payment, wrong-amount, wrong-key or below-fee. */
  why: z.string(),
  status: z.enum(['suspense', 'assigned', 'returning', 'returned']),
  /** The decision that one administrator proposed and another has yet to confirm; null if none is proposed. */
  proposal: z.nullable(
    z.object({
      action: z.enum(['assign', 'return']),
      user_id: z.nullable(z.string()),
      user_name: z.nullable(z.string()),
      reason: z.string(),
      proposed_by: z.string(),
      proposed_by_name: z.string(),
      proposed_at: moment,
    }),
  ),
});

export const adminSuspense = endpoint({
  name: 'adminSuspense',
  method: 'GET',
  path: '/admin/suspense',
  access: 'staff',
  ability: 'read-operations',
  tag: 'Administração',
  summary: 'Os Pix recebidos que não são de ninguém ainda.',
  query: z.object({ page: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1000)), 1) }),
  response: z.object({
    pix: z.array(suspensePix),
    total: z.int(),
    total_amount: brlSum,
    page: z.int(),
    limit: z.int(),
  }),
  refusals: [],
  isExtension: true,
});

export const adminAssignSuspense = endpoint({
  name: 'adminAssignSuspense',
  method: 'POST',
  path: '/admin/suspense/{endToEndId}/assign',
  access: 'staff',
  ability: 'run-operations',
  tag: 'Administração',
  summary: 'Credita um Pix a um usuário. Acima de R$ 1.000, outro administrador confirma.',
  params: pixParams,
  body: z.object({ userId: z.string({ error: 'Informe o usuário.' }), reason }),
  response: suspensePix,
  refusals: [
    'PIX_NOT_FOUND',
    'USER_NOT_FOUND',
    'OWN_ACCOUNT',
    'SUSPENSE_SETTLED',
    'PAYMENT_IN_DISPUTE',
    'SECOND_ADMIN_NEEDED',
    'AMOUNT_BELOW_FEE',
    'STEP_UP_REQUIRED',
    ...staffApprovalRefusals,
  ],
  stepUp: true,
  isExtension: true,
});

export const adminReturnSuspense = endpoint({
  name: 'adminReturnSuspense',
  method: 'POST',
  path: '/admin/suspense/{endToEndId}/return',
  access: 'staff',
  ability: 'run-operations',
  tag: 'Administração',
  summary: 'Devolve um Pix a quem pagou. Acima de R$ 1.000, outro administrador confirma.',
  params: pixParams,
  body: z.object({ reason }),
  response: suspensePix,
  refusals: [
    'PIX_NOT_FOUND',
    'SUSPENSE_SETTLED',
    'PAYMENT_IN_DISPUTE',
    'SECOND_ADMIN_NEEDED',
    'REFUND_NOT_SUPPORTED',
    'REFUND_TOO_LATE',
    'STEP_UP_REQUIRED',
    ...staffApprovalRefusals,
  ],
  stepUp: true,
  isExtension: true,
});

/** With `userId` 0 (the platform), the call resolves the return of a Pix in suspense. */
export const adminResolveRefund = endpoint({
  name: 'adminResolveRefund',
  method: 'POST',
  path: '/admin/users/{userId}/refunds/{id}/resolve',
  access: 'staff',
  ability: 'run-operations',
  tag: 'Administração',
  summary: 'Encerra, com prova do banco, um estorno cujo desfecho o gateway não soube.',
  params: z.object({ userId: z.string(), id: z.uuid() }),
  body: z.object({
    outcome: z.enum(['returned', 'refused'], { error: 'O desfecho é returned ou refused.' }),
    evidence: z.string().check(z.trim(), z.minLength(10, 'Descreva a prova do banco.'), z.maxLength(1000)),
    rtr_id: z.optional(z.string().check(z.trim(), z.maxLength(64))),
  }),
  response: z.object({ success: z.literal(true) }),
  refusals: ['REFUND_NOT_FOUND', 'NOT_IN_DOUBT', 'OWN_ACCOUNT', 'STEP_UP_REQUIRED'],
  stepUp: true,
  isExtension: true,
});

export const refundEndpoints = [
  refundPayment,
  listRefunds,
  adminSuspense,
  adminAssignSuspense,
  adminReturnSuspense,
  adminResolveRefund,
] as const;
