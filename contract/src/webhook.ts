import * as z from 'zod/mini';
import { chargeStatus } from './charge.ts';
import { brl } from './money.ts';
import { moment } from './user.ts';
import { publicWithdrawalStatus } from './withdrawal.ts';

/**
 * The body of the events of a payment. `id` and `paymentId` are both the id of the charge. The header `webhook-id` has
 * the id of the event, which does not change between attempts. Amounts in BRL.
 */
export const paymentEvent = z.object({
  type: z.enum(['payment.paid', 'payment.expired', 'payment.refunded', 'payment.error']),
  id: z.string(),
  paymentId: z.string(),
  status: chargeStatus,
  /** This field and `metadata` are present only if the request that created the charge contained them. */
  external_id: z.optional(z.string()),
  metadata: z.optional(z.record(z.string(), z.string())),
  amount: brl,
  /** The sum of all refunds so far. */
  refunded_amount: z.optional(brl),
  /**
   * The refund that the event is about; present only in `payment.refunded`. `refund_id` is the id that the caller gave
   * the refund.
   */
  refund: z.optional(z.object({ id: z.string(), refund_id: z.nullable(z.string()), amount: brl })),
  created_at: moment,
  updated_at: moment,
});
export type PaymentEvent = z.infer<typeof paymentEvent>;

/** The body of the events of a withdrawal. `id` and `withdrawalId` are equal. Amounts in integer cents. */
export const withdrawalEvent = z.object({
  type: z.enum(['withdrawal.pending', 'withdrawal.paid', 'withdrawal.error']),
  id: z.string(),
  withdrawalId: z.string(),
  status: publicWithdrawalStatus,
  amount: z.int(),
  fee: z.int(),
  /** The sum that the payee's bank has returned so far; present only if a paid withdrawal was returned. */
  returned_amount: z.optional(z.int()),
  /** A Portuguese sentence for users: why the withdrawal failed or was returned. Absent if it did neither. */
  error: z.optional(z.string()),
  created_at: moment,
  updated_at: moment,
});
export type WithdrawalEvent = z.infer<typeof withdrawalEvent>;
