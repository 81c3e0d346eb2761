import * as z from 'zod/mini';
import { chargeStatus } from './charge.ts';
import { brl } from './money.ts';
import { moment } from './user.ts';
import { publicWithdrawalStatus } from './withdrawal.ts';

/** Body of a payment webhook. Its id is the header `webhook-id`, identical on every attempt. */
export const paymentEvent = z.object({
  type: z.enum(['payment.paid', 'payment.expired', 'payment.refunded', 'payment.error']),
  id: z.string(),
  paymentId: z.string(),
  status: chargeStatus,
  /** Only if given when the charge was created. */
  external_id: z.optional(z.string()),
  metadata: z.optional(z.record(z.string(), z.string())),
  amount: brl,
  /** The total refunded so far. */
  refunded_amount: z.optional(brl),
  /** Only in `payment.refunded`: the refund in question, including the caller's own id if there is one. */
  refund: z.optional(z.object({ id: z.string(), refund_id: z.nullable(z.string()), amount: brl })),
  created_at: moment,
  updated_at: moment,
});
export type PaymentEvent = z.infer<typeof paymentEvent>;

/** Body of a withdrawal webhook. Amounts in integer cents. */
export const withdrawalEvent = z.object({
  type: z.enum(['withdrawal.pending', 'withdrawal.paid', 'withdrawal.error']),
  id: z.string(),
  withdrawalId: z.string(),
  status: publicWithdrawalStatus,
  amount: z.int(),
  fee: z.int(),
  /** Only if part of it was returned: the total returned so far. */
  returned_amount: z.optional(z.int()),
  /** Only in `withdrawal.error`, or if part of it was returned: the reason, fit to show. */
  error: z.optional(z.string()),
  created_at: moment,
  updated_at: moment,
});
export type WithdrawalEvent = z.infer<typeof withdrawalEvent>;
