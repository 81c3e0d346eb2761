import * as z from 'zod/mini';
import { brl, brlSum } from './money.ts';
import { day } from './period.ts';
import { moment } from './user.ts';

/** The balances of a merchant that have a statement of their own. */
export const statementAccounts = ['available', 'reserved', 'blocked'] as const;
export const statementAccount = z.enum(statementAccounts);
export type StatementAccount = z.infer<typeof statementAccount>;

/** What a line of the statement is. */
export const statementKinds = [
  'payment',
  'withdrawal',
  'refund',
  'dispute',
  'reserve',
  'adjustment',
] as const;
export const statementKind = z.enum(statementKinds);
export type StatementKind = z.infer<typeof statementKind>;

/** One movement of one balance. Amounts in BRL; below zero when money left the balance. */
export const statementLine = z.object({
  /** Unique within the statement. */
  id: z.string(),
  at: moment,
  kind: statementKind,
  /** In Portuguese: "Pagamento recebido". */
  description: z.string(),
  /** The change of this balance. */
  amount: brl,
  /** Of a payment: what the payer paid, the fee, and what was reserved; null elsewhere. */
  gross: z.nullable(brl),
  fee: z.nullable(brl),
  reserved: z.nullable(brl),
  /** This balance after the movement; null where movements of one kind only are asked for. */
  balance: z.nullable(brlSum),
  /** The payment (of a refund too), withdrawal or dispute behind it; null when there is none to open. */
  subject_id: z.nullable(z.string()),
  subject_type: z.nullable(z.enum(['payment', 'withdrawal', 'dispute'])),
});
export type StatementLine = z.infer<typeof statementLine>;

/** Days are calendar days of America/Sao_Paulo, both included. Without them: the last 30 days. */
const period = { from: z.optional(day), to: z.optional(day) };

export const statementQuery = z.object({
  ...period,
  account: z._default(statementAccount, 'available'),
  kind: z.optional(statementKind),
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 25),
  /** Cursor: `next` of the page before. */
  before: z.optional(z.string().check(z.maxLength(300))),
});

export const statement = z.object({
  lines: z.array(statementLine),
  from: z.iso.date(),
  to: z.iso.date(),
  /** Of the whole period, whatever kind is shown: opening + in − out = closing. */
  opening_balance: brlSum,
  closing_balance: brlSum,
  total_in: brlSum,
  total_out: brlSum,
  next: z.nullable(z.string()),
});
export type Statement = z.infer<typeof statement>;

export const statementExportQuery = z.object({
  ...period,
  account: z._default(statementAccount, 'available'),
  kind: z.optional(statementKind),
});

/** What is kept back, by the day on which it comes free. */
export const reserveSchedule = z.object({
  total: brlSum,
  releases: z.array(z.object({ day: z.iso.date(), amount: brlSum, payments: z.int() })),
});
export type ReserveSchedule = z.infer<typeof reserveSchedule>;
