import * as z from 'zod/mini';
import { chargeStatus } from './charge.ts';
import { brl } from './money.ts';
import { moment } from './user.ts';
import { publicWithdrawalStatus } from './withdrawal.ts';

/** Body of a payment webhook. Its own id is the header `webhook-id`, the same on every attempt. */
export const paymentEvent = z.object({
  type: z.enum(['payment.paid', 'payment.expired', 'payment.refunded', 'payment.error']),
  id: z.string(),
  paymentId: z.string(),
  status: chargeStatus,
  /** Only where the charge was given them. */
  external_id: z.optional(z.string()),
  metadata: z.optional(z.record(z.string(), z.string())),
  amount: brl,
  /** All that went back so far. */
  refunded_amount: z.optional(brl),
  /** Of `payment.refunded`: the refund that it tells of, under the caller's own name too where there is one. */
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
  /** Only when some of it came back: all that did so far. */
  returned_amount: z.optional(z.int()),
  /** Only of `withdrawal.error`, and when some of it came back: why, fit to show. */
  error: z.optional(z.string()),
  created_at: moment,
  updated_at: moment,
});
export type WithdrawalEvent = z.infer<typeof withdrawalEvent>;
