import * as z from 'zod/mini';
import { withoutMisleadingCharacters } from './misleading-characters.ts';
import { brl } from './money.ts';
import { moment } from './user.ts';

export const refundStatuses = ['processing', 'completed', 'failed'] as const;
export const refundStatus = z.enum(refundStatuses);
export type RefundStatus = z.infer<typeof refundStatus>;

/** A refund of a payment to its payer, in full or in part. Amounts in BRL. */
export const refund = z.object({
  id: z.string(),
  /** The caller's own id for the refund; null if none was given. */
  refund_id: z.nullable(z.string()),
  payment_id: z.string(),
  status: refundStatus,
  amount: brl,
  reason: z.string(),
  /** Who requested the refund; `bank` if the bank returned the money by itself, for example after a lost dispute. */
  origin: z.enum(['panel', 'api', 'operator', 'bank']),
  /** A Portuguese sentence for users: why the refund failed or is delayed. Null if all is well. */
  error: z.nullable(z.string()),
  /** The bank's id of the return (rtrId); null until the bank reports it. */
  rtr_id: z.nullable(z.string()),
  created_at: moment,
  completed_at: z.nullable(moment),
});
export type Refund = z.infer<typeof refund>;

export const refundAmount = z.number({
  error: 'amount deve ser um número, em reais e sem aspas: 10.5, e não "10.5".',
});

/**
 * A request for a refund. Without `amount`, all that is not yet refunded is refunded. Unknown fields are refused,
 * because a misspelt `amount` would otherwise be ignored and refund everything. `id` is the caller's own id for the
 * refund: a request repeated with the same `id` makes no second refund.
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
        .check(
          z.trim(),
          z.maxLength(140, 'O motivo tem no máximo 140 caracteres.'),
          withoutMisleadingCharacters(),
        ),
    ),
  }),
  {},
);

/** The refunds of a payment, and the amount that can still be refunded. */
export const paymentRefunds = z.object({
  refunds: z.array(refund),
  refunded_amount: brl,
  /** The sum of the refunds that were requested and are not yet completed. */
  refunding_amount: brl,
  refundable_amount: brl,
  /** Until when the bank makes refunds of this payment. */
  refundable_until: z.nullable(moment),
  /** A Portuguese sentence for users: why the payment cannot be refunded now. Null if it can be refunded. */
  blocked_because: z.nullable(z.string()),
});
export type PaymentRefunds = z.infer<typeof paymentRefunds>;
