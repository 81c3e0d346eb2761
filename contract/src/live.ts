import * as z from 'zod/mini';
import { chargeStatus } from './charge.ts';
import { brl, brlSum } from './money.ts';
import { moment } from './user.ts';

/*
 * The messages of the live channel, the WebSocket at `GET /api/notifications/ws` that keeps open screens up to date.
 */

/** A message to the account, as the notification list shows it. */
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

/** A changed charge, with all that an open screen needs in order to update itself. */
export const changedCharge = z.object({
  id: z.string(),
  status: chargeStatus,
  amount: brl,
  credited_amount: brl,
  paid_at: z.nullable(moment),
  refunded_amount: z.optional(brl),
});

/** The new status of a withdrawal, dispute or fee statement. */
export const changedStatus = z.object({ id: z.string(), status: z.string() });

/** A message of the live channel. Clients must ignore messages of unknown type. */
export const liveMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('notification'), notification }),
  z.object({ type: z.literal('charge'), charge: changedCharge }),
  /** Notifications were read on this or another screen. `unread` is the number that remain, counted up to 100. */
  z.object({ type: z.literal('unread'), unread: z.int() }),
  z.object({ type: z.literal('balance'), balance: brlSum }),
  /** The account itself changed (it was approved or renamed, for example), so the screen must reload the profile. */
  z.object({ type: z.literal('account') }),
  /** Something was added, changed or ended that lists show; the screen must fetch it again. */
  z.object({
    type: z.literal('change'),
    of: z.enum(['approvals', 'members', 'destinations', 'subscriptions']),
  }),
  z.object({ type: z.literal('withdrawal'), withdrawal: changedStatus }),
  z.object({ type: z.literal('dispute'), dispute: changedStatus }),
  z.object({ type: z.literal('fee_statement'), fee_statement: changedStatus }),
]);
export type LiveMessage = z.infer<typeof liveMessage>;

/**
 * The close codes that this API defines for the live channel. The server also uses two standard codes: 1001 when it
 * stops, and 1012 when messages were missed and the client must reconnect.
 */
export const liveCloseCodes = {
  /** The token belongs to no session, or to a session that has ended. */
  unauthenticated: 4401,
  /** The session has ended because its account was frozen. */
  frozen: 4403,
  /** The session has reached its limit of open channels. */
  tooMany: 4429,
} as const;

/**
 * The path of the live channel, relative to /api. The query parameter `token` is a ticket; a session token is accepted
 * too, because the specification uses one.
 */
export const livePath = '/notifications/ws';
