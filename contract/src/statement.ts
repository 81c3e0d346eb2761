import * as z from 'zod/mini';
import { brl, brlSum } from './money.ts';
import { day } from './period.ts';
import { moment } from './user.ts';

/**
 * The balances of a merchant that have their own statement. `own`: the money at accounts of the merchant's own, as far as
 * this gateway saw it. The others are at the operator's account.
 */
export const statementAccounts = ['available', 'reserved', 'blocked', 'own'] as const;
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

/** One movement of one of a merchant's balances. Amounts in BRL, negative if money left the balance. */
export const statementLine = z.object({
  /** Unique within the statement of one balance. */
  id: z.string(),
  at: moment,
  kind: statementKind,
  /** A Portuguese text such as "Pagamento recebido". */
  description: z.string(),
  /** By how much the balance changed. */
  amount: brl,
  /** The gross amount of the payment. This field, `fee` and `reserved` are null on lines of other kinds. */
  gross: z.nullable(brl),
  fee: z.nullable(brl),
  /** The part of the payment that goes to the reserve, where it is withheld for some days. */
  reserved: z.nullable(brl),
  /** The balance after the movement; null if the query asked for one kind of movement only. */
  balance: z.nullable(brlSum),
  /** The payment, withdrawal or dispute of the movement; for a refund, the refunded payment. Null if there is none. */
  subject_id: z.nullable(z.string()),
  subject_type: z.nullable(z.enum(['payment', 'withdrawal', 'dispute'])),
});
export type StatementLine = z.infer<typeof statementLine>;

/** A period of calendar days in America/Sao_Paulo, both inclusive; by default the last 30 days. */
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
  /** Totals of the whole period, also if `kind` selects some of the lines: opening + in − out = closing. */
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

/** The amounts in reserve, grouped by the calendar day on which they are released. `payments` counts their payments. */
export const reserveSchedule = z.object({
  total: brlSum,
  releases: z.array(z.object({ day: z.iso.date(), amount: brlSum, payments: z.int() })),
});
export type ReserveSchedule = z.infer<typeof reserveSchedule>;
