import * as z from 'zod/mini';
import { brl, brlSum } from './money.ts';
import { day } from './period.ts';
import { moment } from './user.ts';

/** The balances of a merchant that have their own statement. */
export const statementAccounts = ['available', 'reserved', 'blocked'] as const;
export const statementAccount = z.enum(statementAccounts);
export type StatementAccount = z.infer<typeof statementAccount>;

/** The kinds of statement lines. */
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

/** One movement of one balance of a merchant. Amounts in BRL, negative if money left the balance. */
export const statementLine = z.object({
  /** Unique within the statement of one balance. */
  id: z.string(),
  at: moment,
  kind: statementKind,
  /** In Portuguese: "Pagamento recebido". */
  description: z.string(),
  /** By how much the balance changed. */
  amount: brl,
  /** On the line of a payment, the amount paid, the fee and the part withheld in reserve; null on other lines. */
  gross: z.nullable(brl),
  fee: z.nullable(brl),
  reserved: z.nullable(brl),
  /** The balance after the movement; null if only one kind of movement was requested. */
  balance: z.nullable(brlSum),
  /** The payment, withdrawal or dispute that the line is about (of a refund, its payment); null if there is none. */
  subject_id: z.nullable(z.string()),
  subject_type: z.nullable(z.enum(['payment', 'withdrawal', 'dispute'])),
});
export type StatementLine = z.infer<typeof statementLine>;

/** Days are calendar days in America/Sao_Paulo, both inclusive. Default: the last 30 days. */
const period = { from: z.optional(day), to: z.optional(day) };

export const statementQuery = z.object({
  ...period,
  account: z._default(statementAccount, 'available'),
  kind: z.optional(statementKind),
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 25),
  /** Cursor: `next` of the previous page. */
  before: z.optional(z.string().check(z.maxLength(300))),
});

export const statement = z.object({
  lines: z.array(statementLine),
  from: z.iso.date(),
  to: z.iso.date(),
  /** Totals of the whole period, regardless of the kind shown: opening + in − out = closing. */
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

/** The amounts in reserve, by the day on which they are released. */
export const reserveSchedule = z.object({
  total: brlSum,
  releases: z.array(z.object({ day: z.iso.date(), amount: brlSum, payments: z.int() })),
});
export type ReserveSchedule = z.infer<typeof reserveSchedule>;
