import * as z from 'zod/mini';
import { chargeStatus } from './charge.ts';
import { brl, brlSum } from './money.ts';
import { moment } from './user.ts';

export const notification = z.object({
  id: z.string(),
  title: z.string(),
  body: z.string(),
  timestamp: moment,
  read: z.boolean(),
  /** What it speaks of: `{type: 'payment.paid', id}`. */
  data: z.record(z.string(), z.unknown()),
});
export type Notification = z.infer<typeof notification>;

/** A charge that changed: enough for an open screen to redraw itself. */
export const changedCharge = z.object({
  id: z.string(),
  status: chargeStatus,
  amount: brl,
  credited_amount: brl,
  paid_at: z.nullable(moment),
  refunded_amount: z.optional(brl),
});

/** A withdrawal or a dispute that changed. */
export const changedThing = z.object({ id: z.string(), status: z.string() });

/** Messages of the live channel, `GET /api/notifications/ws`. Unknown types are to be ignored. */
export const liveMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('notification'), notification }),
  z.object({ type: z.literal('charge'), charge: changedCharge }),
  /** Notifications were read, here or on another screen: how many are unread, counted to 100. */
  z.object({ type: z.literal('unread'), unread: z.int() }),
  z.object({ type: z.literal('balance'), balance: brlSum }),
  /** The account itself changed (approved, renamed): read the profile anew. */
  z.object({ type: z.literal('account') }),
  z.object({ type: z.literal('withdrawal'), withdrawal: changedThing }),
  z.object({ type: z.literal('dispute'), dispute: changedThing }),
]);
export type LiveMessage = z.infer<typeof liveMessage>;

/** Why the server closes a live channel, beside 1001 (it stops) and 1012 (messages were missed: connect again). */
export const liveCloseCodes = {
  /** The token is not, or no longer, that of a session. */
  unauthenticated: 4401,
  /** The same, because its account was frozen. */
  frozen: 4403,
  /** The session has enough channels open. */
  tooMany: 4429,
} as const;

/** Below /api; `token` in the query is a ticket, or the session token as the specification has it. */
export const livePath = '/notifications/ws';
