import * as z from 'zod/mini';
import { chargeStatus } from './charge.ts';
import { brl } from './money.ts';
import { moment } from './user.ts';
import { publicWithdrawalStatus } from './withdrawal.ts';

/**
 * The body of a payment's events. `id` and `paymentId` are both the charge's; the event's own id is in the header
 * `webhook-id`, the same on every attempt. Amounts in BRL.
 */
export const paymentEvent = z.object({
  type: z.enum(['payment.paid', 'payment.expired', 'payment.refunded', 'payment.error']),
  id: z.string(),
  paymentId: z.string(),
  status: chargeStatus,
  /** Present only if they were given when the charge was created. */
  external_id: z.optional(z.string()),
  metadata: z.optional(z.record(z.string(), z.string())),
  amount: brl,
  /** The sum of all refunds so far. */
  refunded_amount: z.optional(brl),
  /** Only in `payment.refunded`: the refund that the event is about. `refund_id` is the caller's own id for it. */
  refund: z.optional(z.object({ id: z.string(), refund_id: z.nullable(z.string()), amount: brl })),
  created_at: moment,
  updated_at: moment,
});
export type PaymentEvent = z.infer<typeof paymentEvent>;

/** The body of a withdrawal's events. `id` and `withdrawalId` are equal. Amounts in integer cents. */
export const withdrawalEvent = z.object({
  type: z.enum(['withdrawal.pending', 'withdrawal.paid', 'withdrawal.error']),
  id: z.string(),
  withdrawalId: z.string(),
  status: publicWithdrawalStatus,
  amount: z.int(),
  fee: z.int(),
  /** Present only if the paid withdrawal was returned, in full or in part: the sum returned so far. */
  returned_amount: z.optional(z.int()),
  /** Present only if the withdrawal failed or was returned: why, in a Portuguese sentence for users. */
  error: z.optional(z.string()),
  created_at: moment,
  updated_at: moment,
});
export type WithdrawalEvent = z.infer<typeof withdrawalEvent>;
