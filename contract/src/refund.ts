import * as z from 'zod/mini';
import { maker } from './maker.ts';
import { withoutMisleadingCharacters } from './misleading-characters.ts';
import { brl } from './money.ts';
import { moment } from './user.ts';

export const refundStatuses = ['processing', 'completed', 'failed'] as const;
export const refundStatus = z.enum(refundStatuses);
export type RefundStatus = z.infer<typeof refundStatus>;

/** A refund of a payment to its payer, in full or in part. Amounts in BRL. */
export const refund = z.object({
  /** The gateway's id of the refund. */
  id: z.string(),
  /** The caller's own id for the refund, sent as `id` in the request; null if none was sent. */
  refund_id: z.nullable(z.string()),
  payment_id: z.string(),
  status: refundStatus,
  amount: brl,
  reason: z.string(),
  /**
   * Who requested the refund:
   * - `panel`: the merchant in the dashboard
   * - `api`: the merchant's own system, with an API key
   * - `operator`: an administrator, for a Pix in suspense (money that matched no charge)
   * - `bank`: nobody; the bank returned the money by itself, for example after a lost dispute
   */
  origin: z.enum(['panel', 'api', 'operator', 'bank']),
  /** Who asked for it in the dashboard; null if nobody did there. Absent from answers to an API key. */
  made_by: z.optional(z.nullable(maker)),
  /** A Portuguese sentence for users: why the refund failed, or why it is not sent to the bank yet; else null. */
  error: z.nullable(z.string()),
  /** True while it waits for the approval of other people, which `error` then says. */
  awaits_approval: z.optional(z.boolean()),
  /** The rtrId: the nationwide id of the return, which is the Pix that goes back. Null until the bank reports it. */
  rtr_id: z.nullable(z.string()),
  created_at: moment,
  /** Null unless the status is `completed`. */
  completed_at: z.nullable(moment),
});
export type Refund = z.infer<typeof refund>;

/**
 * The amount in a request for a refund. Only the type is checked here; `server/src/refunds/request-refund.ts` refuses
 * zero, negative amounts and fractions of a cent with AMOUNT_INVALID, and more than is left with
 * REFUND_EXCEEDS_PAYMENT.
 */
export const requestedRefundAmount = z.number({
  error: 'amount deve ser um número, em reais e sem aspas: 10.5, e não "10.5".',
});

/**
 * A request for a refund. Without `amount`, all that can still be refunded is refunded. A request without a body counts
 * as `{}`, and so also refunds all of it. Unknown fields are refused, because a misspelt `amount` would otherwise be
 * ignored and refund everything.
 */
export const refundRequest = z._default(
  z.strictObject({
    /**
     * The caller's own id for the refund, `refund_id` in the response. A request repeated for the same payment with the
     * same `id` makes no second refund. It is refused with REFUND_ID_REUSED if its amount or reason differs.
     */
    id: z.optional(
      z
        .string({ error: 'O id do estorno deve ser um texto.' })
        .check(z.regex(/^[A-Za-z0-9_-]{1,64}$/, 'O id do estorno tem de 1 a 64 letras, dígitos, - ou _.')),
    ),
    amount: z.optional(requestedRefundAmount),
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
  /** The sum of the refunds with status `completed`. */
  refunded_amount: brl,
  /** The sum of the refunds with status `processing`. */
  refunding_amount: brl,
  /** The paid amount less both sums, even if `blocked_because` forbids a refund now. 0 before the payment. */
  refundable_amount: brl,
  /** Until when the bank makes refunds of this payment; null if it is not paid. */
  refundable_until: z.nullable(moment),
  /** A Portuguese sentence for users: why the payment cannot be refunded now. Null if it can be refunded. */
  blocked_because: z.nullable(z.string()),
});
export type PaymentRefunds = z.infer<typeof paymentRefunds>;
