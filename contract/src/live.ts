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
  /** What the notification is about: `{type: 'payment.paid', id}`. */
  data: z.record(z.string(), z.unknown()),
});
export type Notification = z.infer<typeof notification>;

/** A changed charge, with enough data for an open screen to update itself. */
export const changedCharge = z.object({
  id: z.string(),
  status: chargeStatus,
  amount: brl,
  credited_amount: brl,
  paid_at: z.nullable(moment),
  refunded_amount: z.optional(brl),
});

/** The new status of a withdrawal or dispute. */
export const changedStatus = z.object({ id: z.string(), status: z.string() });

/**
 * Messages of the live channel, the WebSocket at `GET /api/notifications/ws` that keeps open screens up to date.
 * Clients must ignore unknown types.
 */
export const liveMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('notification'), notification }),
  z.object({ type: z.literal('charge'), charge: changedCharge }),
  /** Notifications were read, on this or another screen. `unread`: how many are left, counted up to 100. */
  z.object({ type: z.literal('unread'), unread: z.int() }),
  z.object({ type: z.literal('balance'), balance: brlSum }),
  /** The account itself changed (approved, renamed): reload the profile. */
  z.object({ type: z.literal('account') }),
  z.object({ type: z.literal('withdrawal'), withdrawal: changedStatus }),
  z.object({ type: z.literal('dispute'), dispute: changedStatus }),
]);
export type LiveMessage = z.infer<typeof liveMessage>;

/** Close codes of the live channel, besides 1001 (server stops) and 1012 (messages were missed: reconnect). */
export const liveCloseCodes = {
  /** The token belongs to no session, or its session has ended. */
  unauthenticated: 4401,
  /** The session has ended because its account was frozen. */
  frozen: 4403,
  /** The session has reached its limit of open channels. */
  tooMany: 4429,
} as const;

/** Relative to /api; `token` in the query is a ticket, or the session token as in the specification. */
export const livePath = '/notifications/ws';
