import * as z from 'zod/mini';
import { PAGE_SIZE } from './limits.ts';
import { brl, brlSum } from './money.ts';
import { moment } from './user.ts';

/*
 * The monthly statements of the fees that a merchant owes the operator, because the payments arrive at accounts of the
 * merchant's own, where nothing can be kept back.
 */

/** The dates of a fee statement. */
export const FEE_STATEMENT_RULES = {
  /** A statement is due on this day of the month after its own. */
  dueDay: 10,
  /** A statement that is closed late is due this many days later at the earliest. */
  minDaysToPay: 9,
  /** The merchant is warned this many days before new charges are refused. */
  warningDays: 5,
  /** How long the code of a statement can be paid; after that a new one is made on demand. */
  codeDays: 7,
} as const;

export const feeStatementStates = ['open', 'paid'] as const;
export const feeStatementState = z.enum(feeStatementStates);
export type FeeStatementState = z.infer<typeof feeStatementState>;

const month = z.string().check(z.regex(/^\d{4}-\d{2}$/));

export const feeStatement = z.object({
  id: z.string(),
  /** The number that people call the statement by. */
  number: z.string(),
  /** The month whose fees it has, as 2026-11. */
  month,
  amount: brl,
  /** How many payments and withdrawals it has fees of. */
  fees: z.int(),
  status: feeStatementState,
  closed_at: moment,
  /** The last day on which it is paid in time. */
  due_on: z.iso.date(),
  /** From this day on, new charges are refused unless it is paid. */
  stops_on: z.iso.date(),
  /** Whether it is open and past its due date. */
  is_overdue: z.boolean(),
  paid_at: z.nullable(moment),
  /** The Pix that paid it. Null also if it was paid by other means. */
  end_to_end_id: z.nullable(z.string()),
  /** The note of an administrator about a payment by other means. */
  paid_reference: z.nullable(z.string()),
});
export type FeeStatement = z.infer<typeof feeStatement>;

/** The fees of one day. */
export const feeDay = z.object({ day: z.iso.date(), fees: z.int(), amount: brl });
export type FeeDay = z.infer<typeof feeDay>;

/** The charge by which a statement is paid: its QR Code holds `content`, which can also be pasted. */
export const feeStatementPix = z.object({
  txid: z.string(),
  content: z.string(),
  amount: brl,
  expires_at: moment,
});
export type FeeStatementPix = z.infer<typeof feeStatementPix>;

export const feeStatementDetail = z.extend(feeStatement, {
  days: z.array(feeDay),
  /** Null until one is made, when it has expired, and once the statement is paid. */
  pix: z.nullable(feeStatementPix),
});
export type FeeStatementDetail = z.infer<typeof feeStatementDetail>;

const pageNumber = z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1000)), 1);

export const feeStatementsQuery = z.object({
  page: pageNumber,
  pageSize: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(PAGE_SIZE.max)), 12),
});

export const feeStatementsPage = z.object({
  /** Newest month first. */
  statements: z.array(feeStatement),
  total: z.int(),
  page: z.int(),
  limit: z.int(),
  /** The sum of all open statements, and the one that is due first, whichever page is asked for. */
  open_amount: brlSum,
  oldest_open: z.nullable(feeStatement),
  /** Whether new charges are refused now, because a statement was not paid. */
  stops_charges: z.boolean(),
  /** The fees that no statement has yet. */
  running: z.object({ month, fees: z.int(), amount: brlSum, days: z.array(feeDay) }),
});
export type FeeStatementsPage = z.infer<typeof feeStatementsPage>;

export const adminFeeStatementsQuery = z.object({
  page: pageNumber,
  pageSize: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(PAGE_SIZE.max)), 20),
  status: z.optional(feeStatementState),
  /** `1`: only those that are open and past their due date. */
  overdue: z.optional(z.literal('1')),
  /** The merchant's name or username, or a statement's number. */
  search: z.optional(z.string().check(z.maxLength(100))),
});

/** A statement as administrators see it. */
export const adminFeeStatement = z.extend(feeStatement, {
  merchant: z.object({ id: z.string(), name: z.string(), username: z.string() }),
});
export type AdminFeeStatement = z.infer<typeof adminFeeStatement>;

export const adminFeeStatementsPage = z.object({
  statements: z.array(adminFeeStatement),
  total: z.int(),
  page: z.int(),
  limit: z.int(),
  /** The sum of all open statements, and how many are past their due date, whatever the query selects. */
  open_amount: brlSum,
  overdue: z.int(),
});
export type AdminFeeStatementsPage = z.infer<typeof adminFeeStatementsPage>;

export const feeStatementPayment = z.object({
  /** How the operator finds the payment again, such as the number of the transfer. */
  reference: z
    .string({ error: 'Diga como foi pago, com a referência do comprovante.' })
    .check(
      z.trim(),
      z.minLength(5, 'Diga como foi pago, com a referência do comprovante.'),
      z.maxLength(200, 'A referência tem no máximo 200 caracteres.'),
    ),
});
