import { createHash } from 'node:crypto';
import { type ApprovalKind, approvalKind } from '@jangada/contract';
import { z } from 'zod';

/*
 * The document of a request is the text that people approve. It says everything that matters about the act, and its
 * SHA-256 is what a passkey signs, so an approval of one order is of no use for any other. The format is described in
 * docs/approvals.md; a change of it needs a new name.
 */

const format = 'jangada-approval/1';

/** Bytes as the gateway writes them: without padding, in the one way in which they can be written. */
export const base64url = z
  .string()
  .refine((text) => Buffer.from(text, 'base64url').toString('base64url') === text);
/** A moment as the gateway writes it: UTC with milliseconds. */
export const moment = z.iso.datetime({ precision: 3 });

/** A factor by which a person approves: a passkey with its public key (COSE), or an authenticator app without one. */
const approverKey = z.object({ id: z.string(), public_key: base64url.nullable() });
export type ApproverKey = z.infer<typeof approverKey>;

/** Somebody whose approvals count. */
const documentedApprover = z.object({
  user: z.number(),
  name: z.string(),
  email: z.string(),
  keys: z.array(approverKey),
  /** When the person became an administrator, and who made them one; only for the operator's approvers. */
  staff: z.object({ since: moment, by: z.number() }).optional(),
});
export type DocumentedApprover = z.infer<typeof documentedApprover>;

const policyOrder = z.object({
  enabled: z.boolean(),
  from_cents: z.number().int().nonnegative(),
  approvals: z.number().int().positive(),
  expires_hours: z.number().int().positive(),
  passkeys_only: z.boolean(),
  /** Whose approvals count from then on, when a policy begins. */
  approvers: z.array(documentedApprover).optional(),
});
export type PolicyOrder = z.infer<typeof policyOrder>;

const destinationOrder = z.object({
  pix_key: z.string(),
  pix_key_type: z.string(),
  /** How much API keys may send there in 24 hours without a person's approval. */
  day_limit_cents: z.number().int().nonnegative(),
});

const orderSchemas = { policy: policyOrder, approver: documentedApprover, destination: destinationOrder };

/** What was asked for, by kind. Where no shape is named, the facts stand for the approvers to read. */
export type Order = Readonly<Record<string, unknown>>;

const approvalDocument = z.object({
  format: z.literal(format),
  /** The address of the gateway, for which the passkeys were made. */
  origin: z.string(),
  /** The account whose policy applies; 0 is the operator. */
  account: z.number(),
  request: z.string(),
  kind: approvalKind,
  order: z.record(z.string(), z.unknown()),
  /** The person who asked; null if an API key did. */
  maker: z.number().nullable(),
  made_at: moment,
  expires_at: moment,
});
export type ApprovalDocument = z.infer<typeof approvalDocument>;

export function writeDocument(content: Omit<ApprovalDocument, 'format'>): string {
  return JSON.stringify({ format, ...content });
}

/** Reads a document. Returns undefined for text that is none. */
export function readDocument(text: string): ApprovalDocument | undefined {
  try {
    return approvalDocument.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Reads the order of a kind whose shape matters to the count. Returns undefined if it has another shape. */
export function readOrder<Kind extends keyof typeof orderSchemas>(
  kind: Kind,
  { order, ...document }: Pick<ApprovalDocument, 'kind' | 'order'>,
): z.infer<(typeof orderSchemas)[Kind]> | undefined {
  if (document.kind !== kind) return undefined;
  const { data } = orderSchemas[kind].safeParse(order);
  return data as z.infer<(typeof orderSchemas)[Kind]> | undefined;
}

export function digestOf(documentText: string): Buffer {
  return createHash('sha256').update(documentText, 'utf8').digest();
}

/** The subject of an act that is no order to the bank. Asking for the same act again gives the same subject. */
export function subjectOf(kind: ApprovalKind, maker: number | null, order: Order): string {
  return createHash('sha256')
    .update(JSON.stringify([kind, maker, order]))
    .digest('hex');
}
