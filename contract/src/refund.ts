import * as z from 'zod/mini';
import { brl } from './money.ts';
import { showsAsWritten } from './shown-text.ts';
import { moment } from './user.ts';

export const refundStatuses = ['processing', 'completed', 'failed'] as const;
export const refundStatus = z.enum(refundStatuses);
export type RefundStatus = z.infer<typeof refundStatus>;

/** Money of a payment that goes back to its payer. Amounts in BRL. */
export const refund = z.object({
  id: z.string(),
  /** The caller's own name for it; null when none was given. */
  refund_id: z.nullable(z.string()),
  payment_id: z.string(),
  status: refundStatus,
  amount: brl,
  reason: z.string(),
  /** Who asked for it; `bank`: the bank gave it back by itself, as after a lost dispute. */
  origin: z.enum(['panel', 'api', 'operator', 'bank']),
  /** Why it failed or waits, fit to show. */
  error: z.nullable(z.string()),
  /** The bank's id of the return, once it is told. */
  rtr_id: z.nullable(z.string()),
  created_at: moment,
  completed_at: z.nullable(moment),
});
export type Refund = z.infer<typeof refund>;

export const refundAmount = z.number({
  error: 'amount deve ser um número, em reais e sem aspas: 10.5, e não "10.5".',
});

/**
 * Without `amount`: all that is left; so a field of another name is refused, lest a slip give everything back. `id` is the
 * caller's own name for the refund: asking twice with it is one refund.
 */
export const refundRequest = z._default(
  z.strictObject({
    id: z.optional(
      z
        .string({ error: 'O id do estorno deve ser um texto.' })
        .check(z.regex(/^[A-Za-z0-9_-]{1,64}$/, 'O id do estorno tem de 1 a 64 letras, dígitos, - ou _.')),
    ),
    amount: z.optional(refundAmount),
    reason: z.optional(
      z
        .string({ error: 'O motivo deve ser um texto.' })
        .check(z.trim(), z.maxLength(140, 'O motivo tem no máximo 140 caracteres.'), showsAsWritten()),
    ),
  }),
  {},
);

/** The refunds of a payment, and what may still be refunded. */
export const paymentRefunds = z.object({
  refunds: z.array(refund),
  refunded_amount: brl,
  /** On its way back now. */
  refunding_amount: brl,
  refundable_amount: brl,
  /** The last moment in which the bank takes a refund of it. */
  refundable_until: z.nullable(moment),
  /** Why it cannot be refunded now, fit to show; null when it can. */
  blocked_because: z.nullable(z.string()),
});
export type PaymentRefunds = z.infer<typeof paymentRefunds>;
