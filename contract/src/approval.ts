import * as z from 'zod/mini';
import { brl } from './money.ts';
import { moment } from './user.ts';

/** The acts for which an account may ask that other people approve them. */
const accountActs = [
  'withdrawal',
  'refund',
  /** A Pix key to which an API key may withdraw, and how much in a day. */
  'destination',
  /** An API key that moves money. */
  'key',
  /** Which accounts at banks receive the payments, and their credentials. */
  'connection',
  /** A member with a role that moves money or approves. */
  'member',
  /** A person who counts as an approver, with the factors by which they approve. */
  'approver',
  'policy',
] as const;

/** The acts of the operator's administrators. */
const operatorActs = [
  'held-withdrawal',
  'unmatched-pix',
  'open-item',
  'payouts',
  'administrator',
  'recovery',
] as const;

export const approvalKinds = [...accountActs, ...operatorActs] as const;
export const approvalKind = z.enum(approvalKinds);
export type ApprovalKind = z.infer<typeof approvalKind>;

/**
 * - `open`: waits for approvals
 * - `approved`: enough people approved; what was approved is sent, or its maker may carry it out
 * - `done`: it was carried out
 * - `rejected`, `cancelled`, `expired`: it will not be carried out
 */
export const approvalStatuses = ['open', 'approved', 'done', 'rejected', 'cancelled', 'expired'] as const;
export const approvalStatus = z.enum(approvalStatuses);
export type ApprovalStatus = z.infer<typeof approvalStatus>;

/** What is unusual about an order: shown to whoever is asked to approve it. */
export const unusualSigns = [
  'new-key',
  'first-in-months',
  'at-night',
  'largest-ever',
  'recent-change',
  'with-others',
] as const;
export type UnusualSign = (typeof unusualSigns)[number];

/** Whose approvals: those of the account, or those of the gateway's operator. */
export const approvalsOf = z._default(z.enum(['account', 'operator']), 'account');

const person = z.object({ id: z.string(), name: z.string() });

/** A fact about the order, as the approver reads it before they sign. */
const orderFact = z.object({ label: z.string(), value: z.string() });

export const approvalRequest = z.object({
  id: z.string(),
  kind: approvalKind,
  /** The withdrawal or refund that waits for it; null for every other act. */
  order_id: z.nullable(z.string()),
  status: approvalStatus,
  /** The order in one sentence. */
  summary: z.string(),
  /** The amount that would leave; null if the order moves none. */
  amount_cents: z.nullable(z.int()),
  /** Null if an API key asked for it. */
  maker: z.nullable(person),
  is_maker: z.boolean(),
  created_at: moment,
  expires_at: moment,
  ended_at: z.nullable(moment),
  /** How many approvals the policy demands. */
  needed: z.int(),
  approvals: z.array(
    z.object({ person, method: z.enum(['passkey', 'totp']), approved_at: moment, is_own: z.boolean() }),
  ),
  /** Whether the caller may approve it now. */
  may_approve: z.boolean(),
  /** Who rejected it or gave it up; null if its time ended it, or it was carried out. */
  ended_by: z.nullable(person),
  /** Why it was rejected. */
  reason: z.nullable(z.string()),
  unusual: z.array(z.enum(unusualSigns)),
});
export type ApprovalRequest = z.infer<typeof approvalRequest>;

export const approvalDetail = z.extend(approvalRequest, {
  facts: z.array(orderFact),
  /** The text that is approved; an approval carries its SHA-256. */
  document: z.string(),
  /** SHA-256 of the document, in hexadecimal. */
  digest: z.string(),
});
export type ApprovalDetail = z.infer<typeof approvalDetail>;

/** The bounds of what a policy may demand. */
export const APPROVALS_MAX = 5;
export const APPROVAL_HOURS = { min: 1, max: 168, default: 72 } as const;

export const approvalPolicy = z.object({
  enabled: z.boolean(),
  /** From this amount on, in BRL, money that leaves needs approvals: alone, or together with what left in 24 hours. */
  from: z._default(brl.check(z.refine((value) => value >= 0, 'O valor não pode ser negativo.')), 0),
  approvals: z._default(
    z
      .int({ error: 'Informe quantas aprovações.' })
      .check(
        z.minimum(1, 'Pelo menos uma aprovação.'),
        z.maximum(APPROVALS_MAX, `No máximo ${APPROVALS_MAX}.`),
      ),
    1,
  ),
  expires_hours: z._default(
    z
      .int({ error: 'Informe o prazo em horas.' })
      .check(
        z.minimum(APPROVAL_HOURS.min, 'O prazo é de pelo menos 1 hora.'),
        z.maximum(APPROVAL_HOURS.max, 'O prazo é de no máximo 7 dias.'),
      ),
    APPROVAL_HOURS.default,
  ),
  /** Whether only signatures of passkeys count, so that not even the gateway's own secret can make an approval. */
  passkeys_only: z._default(z.boolean(), false),
});
export type ApprovalPolicy = z.infer<typeof approvalPolicy>;

/** The policy as a response shows it: every term is there. */
export const shownApprovalPolicy = z.object({
  enabled: z.boolean(),
  from: brl,
  approvals: z.int(),
  expires_hours: z.int(),
  passkeys_only: z.boolean(),
});

/** Somebody who approves, or could. */
export const approver = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  /**
   * - `approves`: their approvals count
   * - `no-factor`: they have no second factor
   * - `not-approved`: others have yet to approve them, or a factor that they added
   */
  status: z.enum(['approves', 'no-factor', 'not-approved']),
  is_own: z.boolean(),
});
