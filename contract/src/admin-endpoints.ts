// `isExtension`: the call is beyond the specification (docs/specification.md), so other gateways may lack it.
import * as z from 'zod/mini';
import { staffApprovalRefusals } from './approval-errors.ts';
import { transaction } from './charge.ts';
import { merchantKind } from './connection.ts';
import { dispute, disputeDetail } from './dispute.ts';
import { endpoint, successResponse } from './endpoint.ts';
import { kycStatus } from './kyc.ts';
import { balanceBrl } from './money.ts';
import { accountName, email, newEmail, username } from './registration.ts';
import { docType, moment, role, taxes, user } from './user.ts';
import { withdrawalItem } from './withdrawal.ts';

const pageNumber = z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1000)), 1);
/** The reason that a member of staff gives for an action on an account or a withdrawal, kept in the audit log. */
export const staffReason = z
  .string({ error: 'Informe o motivo.' })
  .check(z.trim(), z.minLength(3, 'Descreva o motivo com pelo menos 3 letras.'), z.maxLength(500));
const wholeNumber = z.string().check(z.regex(/^\d{1,15}$/, 'Um número.'));
const userParams = z.object({ userId: z.string() });

/** A user as shown to staff. A change sends back `version`, so that concurrent edits do not overwrite each other. */
export const adminUser = z.extend(user, {
  version: z.int(),
  kyc: kycStatus,
  second_factor: z.boolean(),
  /** Null unless the account is frozen. */
  frozen_at: z.nullable(moment),
  frozen_because: z.nullable(z.string()),
  closing_requested_at: z.nullable(moment),
  closing_reason: z.nullable(z.string()),
  /** Whether payments go to the operator's account or to accounts of the merchant's own. */
  merchant_kind: merchantKind,
  /** Who holds the account, if it was handed over; the other fields are those of the person with whom it began. */
  held_by: z.optional(z.nullable(z.object({ id: z.string(), name: z.string() }))),
  /** Since when the identity of whoever controls the account has to be looked at anew; null if it has not. */
  identity_review_since: z.optional(z.nullable(moment)),
});
export type AdminUser = z.infer<typeof adminUser>;

export const adminUserBasics = endpoint({
  name: 'adminUserBasics',
  method: 'GET',
  path: '/admin/user/basics',
  access: 'staff',
  ability: 'read-users',
  tag: 'Administração',
  summary: 'Os usuários mais novos, os que a busca encontra, ou os que pediram o encerramento da conta.',
  query: z.object({
    search: z.optional(z.string().check(z.maxLength(120))),
    /** Selects the accounts whose owner asked to close them, earliest request first. */
    closing: z.optional(z.stringbool()),
    page: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 1),
  }),
  response: z.object({ users: z.array(adminUser), total: z.int(), page: z.int(), limit: z.int() }),
  refusals: ['RATE_LIMITED'],
});

export const adminGetUser = endpoint({
  name: 'adminGetUser',
  method: 'GET',
  path: '/admin/users/{id}',
  access: 'staff',
  ability: 'read-users',
  tag: 'Administração',
  summary: 'Um usuário.',
  params: z.object({ id: z.string() }),
  response: z.object({ user: adminUser }),
  refusals: ['USER_NOT_FOUND'],
});

/** A read-only field of a user. It is accepted and ignored, so that a client can send back a whole user. */
const ignoredField = z.optional(z.unknown());

export const adminUpdateUser = endpoint({
  name: 'adminUpdateUser',
  method: 'PUT',
  path: '/admin/users/{id}',
  access: 'staff',
  ability: 'change-users',
  tag: 'Administração',
  summary: 'Altera um usuário. O que não se altera é recusado pelo nome, a não ser que volte como veio.',
  params: z.object({ id: z.string() }),
  body: z.object({
    version: z.int({ error: 'Envie a versão do usuário que foi aberto.' }),
    name: z.optional(accountName),
    /** A change of username or document requires a `reason`. A change of document also revokes the approval. */
    username: z.optional(username),
    document: z.optional(z.string().check(z.maxLength(32, 'Documento inválido'))),
    docType: z.optional(docType),
    email: z.optional(email),
    role: z.optional(role),
    approved: z.optional(z.boolean()),
    apiActive: z.optional(z.boolean()),
    taxes: z.optional(taxes),
    /** Only where the operator admits merchants of both kinds. */
    merchant_kind: z.optional(merchantKind),
    /**
     * The new balance. It requires `balance_before`, the balance that the caller saw, and `reason`. The difference
     * between the two balances is booked as an adjustment.
     */
    balance: z.optional(balanceBrl),
    balance_before: z.optional(balanceBrl),
    reason: z.optional(z.string().check(z.maxLength(500))),
    id: ignoredField,
    avatar: ignoredField,
    apiKey: ignoredField,
    created_at: ignoredField,
    updated_at: ignoredField,
    push_id: ignoredField,
    push_ids: ignoredField,
    kyc: ignoredField,
    second_factor: ignoredField,
    frozen_at: ignoredField,
    frozen_because: ignoredField,
    held_by: ignoredField,
    identity_review_since: ignoredField,
    closing_requested_at: ignoredField,
    closing_reason: ignoredField,
  }),
  aliases: { api_active: 'apiActive', createdAt: 'created_at', updatedAt: 'updated_at' },
  response: z.object({ user: adminUser }),
  refusals: [
    'USER_NOT_FOUND',
    'STALE_VERSION',
    'STALE_BALANCE',
    'REASON_REQUIRED',
    'OWN_ACCOUNT',
    'LAST_ADMIN',
    'ADMIN_EMAIL',
    'USERNAME_TAKEN',
    'EMAIL_TAKEN',
    'DOCUMENT_TAKEN',
    'ADJUSTMENT_LIMIT',
    'INSUFFICIENT_BALANCE',
    'STEP_UP_REQUIRED',
    ...staffApprovalRefusals,
  ],
  stepUp: true,
  idempotent: true,
});

/** A user's charges, newest first. The `next` of a page is the `before` of the following page. */
export const adminUserTransactions = endpoint({
  name: 'adminUserTransactions',
  method: 'GET',
  path: '/admin/users/{userId}/transactions',
  access: 'staff',
  ability: 'read-transactions',
  tag: 'Administração',
  summary: 'As cobranças de um usuário, da mais nova para a mais antiga.',
  params: userParams,
  query: z.object({
    before: z.optional(z.string().check(z.maxLength(200))),
    search: z.optional(z.string().check(z.maxLength(64))),
  }),
  response: z.object({
    transactions: z.array(z.omit(transaction, { content: true })),
    next: z.nullable(z.string()),
  }),
  refusals: ['USER_NOT_FOUND'],
  isExtension: true,
});

export const adminFreezeUser = endpoint({
  name: 'adminFreezeUser',
  method: 'POST',
  path: '/admin/users/{userId}/freeze',
  access: 'staff',
  ability: 'change-users',
  tag: 'Administração',
  summary: 'Congela um usuário na hora: sessões, chave e saques na fila param.',
  params: userParams,
  body: z.object({ reason: staffReason }),
  response: z.object({ user: adminUser }),
  refusals: ['USER_NOT_FOUND', 'OWN_ACCOUNT', 'ALREADY_FROZEN'],
  isExtension: true,
});

export const adminUnfreezeUser = endpoint({
  name: 'adminUnfreezeUser',
  method: 'POST',
  path: '/admin/users/{userId}/unfreeze',
  access: 'staff',
  ability: 'change-users',
  tag: 'Administração',
  summary: 'Descongela um usuário.',
  params: userParams,
  body: z.object({ reason: staffReason }),
  response: z.object({ user: adminUser }),
  refusals: ['USER_NOT_FOUND', 'OWN_ACCOUNT', 'NOT_FROZEN', 'STEP_UP_REQUIRED'],
  stepUp: true,
  isExtension: true,
});

export const adminRecoverAccount = endpoint({
  name: 'adminRecoverAccount',
  method: 'POST',
  path: '/admin/users/{userId}/recover',
  access: 'staff',
  ability: 'change-users',
  tag: 'Administração',
  summary:
    'Devolve o acesso a quem perdeu senha, segundo fator e e-mail. Precisa da aprovação de outro administrador.',
  params: userParams,
  body: z.object({ email: newEmail, reason: staffReason }),
  response: successResponse,
  refusals: [
    'USER_NOT_FOUND',
    'OWN_ACCOUNT',
    'ACCOUNT_FROZEN',
    'EMAIL_TAKEN',
    'RECOVERY_OFF',
    'APPROVALS_OFF',
    ...staffApprovalRefusals,
    'STEP_UP_REQUIRED',
  ],
  stepUp: true,
  isExtension: true,
});

// The audit log

export const auditEntry = z.object({
  id: z.string(),
  at: moment,
  /** Who acted; null if the platform itself did. */
  actor: z.nullable(z.object({ id: z.string(), name: z.string() })),
  action: z.string(),
  /** The account that the action concerned; null if the action concerned the platform. */
  subject: z.nullable(z.object({ id: z.string(), name: z.string() })),
  reason: z.nullable(z.string()),
  before: z.record(z.string(), z.unknown()),
  after: z.record(z.string(), z.unknown()),
});
export type AuditEntry = z.infer<typeof auditEntry>;

export const adminAuditLog = endpoint({
  name: 'adminAuditLog',
  method: 'GET',
  path: '/admin/audit-log',
  access: 'staff',
  ability: 'read-audit-log',
  tag: 'Administração',
  summary: 'Quem fez o quê, quando, com o antes e o depois; o mais novo primeiro.',
  query: z.object({
    /** The id or username of an account. Finds the actions that the account took, and those that concerned it. */
    user: z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(64))),
    /** A key of `auditActions`. */
    action: z.optional(z.string().check(z.maxLength(60))),
    /** Cursor: `next` of the previous page. */
    before: z.optional(wholeNumber),
  }),
  response: z.object({ entries: z.array(auditEntry), next: z.nullable(z.string()) }),
  refusals: ['USER_NOT_FOUND'],
  isExtension: true,
});

// Withdrawals, disputes and system health, for the operator

export const adminWithdrawal = z.extend(withdrawalItem, {
  user: z.object({ id: z.string(), name: z.string() }),
  /** The id that we gave the payout; the bank finds the payout by it (idEnvio). */
  id_envio: z.string(),
  end_to_end_id: z.nullable(z.string()),
  in_doubt: z.boolean(),
  /** Since when the outcome at the bank has been unknown; null if it is known. */
  unknown_since: z.nullable(moment),
  /** Why an operator holds the withdrawal; null if no operator holds it. */
  held_because: z.nullable(z.string()),
  /** The outcomes that an operator can record now, with evidence. */
  resolutions: z.array(z.enum(['paid', 'refused'])),
});
export type AdminWithdrawal = z.infer<typeof adminWithdrawal>;

export const adminWithdrawals = endpoint({
  name: 'adminWithdrawals',
  method: 'GET',
  path: '/admin/withdrawals',
  access: 'staff',
  ability: 'read-operations',
  tag: 'Administração',
  summary: 'Os saques de todos: os que estão em andamento, ou os mais novos de um estado.',
  query: z.object({
    view: z._default(z.enum(['open', 'held', 'in-doubt', 'completed', 'failed']), 'open'),
    before: z.optional(z.string().check(z.maxLength(200))),
  }),
  response: z.object({ withdrawals: z.array(adminWithdrawal), next: z.nullable(z.string()) }),
  refusals: [],
  isExtension: true,
});

const withdrawalParams = z.object({ userId: z.string(), id: z.uuid() });

export const adminHoldWithdrawal = endpoint({
  name: 'adminHoldWithdrawal',
  method: 'POST',
  path: '/admin/users/{userId}/withdrawals/{id}/hold',
  access: 'staff',
  ability: 'run-operations',
  tag: 'Administração',
  summary: 'Segura um saque que ainda não foi enviado.',
  params: withdrawalParams,
  body: z.object({ reason: staffReason }),
  response: adminWithdrawal,
  refusals: ['WITHDRAWAL_NOT_FOUND', 'WITHDRAWAL_SENT', 'OWN_ACCOUNT'],
  isExtension: true,
});

export const adminReleaseWithdrawal = endpoint({
  name: 'adminReleaseWithdrawal',
  method: 'POST',
  path: '/admin/users/{userId}/withdrawals/{id}/release',
  access: 'staff',
  ability: 'run-operations',
  tag: 'Administração',
  summary: 'Libera um saque que foi segurado.',
  params: withdrawalParams,
  body: z.object({ reason: staffReason }),
  response: adminWithdrawal,
  refusals: ['WITHDRAWAL_NOT_FOUND', 'NOT_HELD', 'OWN_ACCOUNT', 'STEP_UP_REQUIRED', ...staffApprovalRefusals],
  stepUp: true,
  isExtension: true,
});

/**
 * The merchant who received the disputed Pix. Null if the Pix belongs to no known merchant; calls about such a dispute
 * name user 0, the platform.
 */
const disputedMerchant = z.nullable(z.object({ id: z.string(), name: z.string() }));
export const adminDispute = z.extend(dispute, { user: disputedMerchant });
export type AdminDispute = z.infer<typeof adminDispute>;

export const adminDisputeDetail = z.extend(disputeDetail, {
  user: disputedMerchant,
  /** When the bank accepted the defence. */
  defence_sent_at: z.nullable(moment),
});
export type AdminDisputeDetail = z.infer<typeof adminDisputeDetail>;

export const adminDisputes = endpoint({
  name: 'adminDisputes',
  method: 'GET',
  path: '/admin/disputes',
  access: 'staff',
  ability: 'read-operations',
  tag: 'Administração',
  summary: 'As disputas de todos: as abertas pelo prazo, as encerradas da mais nova.',
  query: z.object({ view: z._default(z.enum(['open', 'closed']), 'open'), page: pageNumber }),
  response: z.object({ disputes: z.array(adminDispute), total: z.int(), page: z.int(), limit: z.int() }),
  refusals: [],
  isExtension: true,
});

export const adminGetDispute = endpoint({
  name: 'adminGetDispute',
  method: 'GET',
  path: '/admin/users/{userId}/disputes/{id}',
  access: 'staff',
  ability: 'read-operations',
  tag: 'Administração',
  summary: 'Uma disputa com a defesa do lojista.',
  params: z.object({ userId: z.string(), id: z.uuid() }),
  response: adminDisputeDetail,
  refusals: ['DISPUTE_NOT_FOUND'],
  isExtension: true,
});

export const adminDisputeFile = endpoint({
  name: 'adminDisputeFile',
  method: 'GET',
  path: '/admin/users/{userId}/disputes/{id}/files/{fileId}',
  access: 'staff',
  ability: 'read-operations',
  tag: 'Administração',
  summary: 'Um arquivo de uma defesa, em base64; a leitura fica no registro.',
  params: z.object({ userId: z.string(), id: z.uuid(), fileId: z.uuid() }),
  response: z.object({ name: z.string(), type: z.string(), content: z.string() }),
  refusals: ['DISPUTE_NOT_FOUND', 'NOT_FOUND'],
  isExtension: true,
});

export const systemHealth = z.object({
  database: z.enum(['ok', 'unavailable']),
  work: z.enum(['ok', 'unavailable']),
  psp: z.object({
    state: z.enum(['ok', 'unavailable', 'unknown']),
    name: z.string(),
    /** When our client certificate for the bank expires; null if no certificate is configured. */
    certificate_expires_at: z.nullable(moment),
  }),
  /**
   * The queues of background work. `waiting` is the number of items, counted up to 100,000. `oldest_due_at` is when the
   * oldest of them became due, or null if none is due.
   */
  queues: z.array(z.object({ name: z.string(), waiting: z.int(), oldest_due_at: z.nullable(moment) })),
  /** The read replica of the process that answered; null if none is configured. The lag is at most `lag_seconds`. */
  read_replica: z.nullable(
    z.object({
      state: z.enum(['ok', 'behind', 'unavailable', 'not-a-replica']),
      lag_seconds: z.nullable(z.number()),
    }),
  ),
  /** When received Pix were last compared with the bank's list, and up to when sent Pix have been compared. */
  last_reconciliation: z.object({ received_at: z.nullable(moment), sent_until: z.nullable(moment) }),
  open_items: z.int(),
  pending_kyc: z.int(),
  /** Merchants' own accounts at which nothing works now, or for whose bank an administrator has to enter addresses. */
  own_accounts_waiting: z.int(),
  payouts_stopped_because: z.nullable(z.string()),
  warnings: z.array(z.string()),
  version: z.string(),
});
export type SystemHealth = z.infer<typeof systemHealth>;

export const adminSystemHealth = endpoint({
  name: 'adminSystemHealth',
  method: 'GET',
  path: '/admin/health',
  access: 'staff',
  ability: 'read-operations',
  tag: 'Administração',
  summary: 'A saúde do gateway: banco de dados, banco Pix, filas, conciliação.',
  response: systemHealth,
  refusals: [],
  isExtension: true,
});

export const adminEndpoints = [
  adminUserBasics,
  adminGetUser,
  adminUpdateUser,
  adminUserTransactions,
  adminFreezeUser,
  adminUnfreezeUser,
  adminRecoverAccount,
  adminAuditLog,
  adminWithdrawals,
  adminHoldWithdrawal,
  adminReleaseWithdrawal,
  adminDisputes,
  adminGetDispute,
  adminDisputeFile,
  adminSystemHealth,
] as const;
