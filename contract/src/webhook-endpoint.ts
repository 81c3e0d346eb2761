import * as z from 'zod/mini';
import { eventType, eventTypes } from './event.ts';
import { moment } from './user.ts';

export const WEBHOOK_LIMITS = {
  /** The maximum number of endpoints per merchant. */
  endpoints: 16,
  descriptionMaxLength: 100,
  urlMaxLength: 2048,
  /** The most deliveries that one call can resend by their ids. */
  resendIds: 100,
  /** The most deliveries that one call can resend from a period. */
  resendPeriod: 1000,
  /** For how many hours deliveries are signed with a replaced secret as well as with the new one. */
  rotationHours: 24,
  /**
   * The owner is notified once a day of an endpoint that has failed for at least this long and at least this many
   * times.
   */
  warnAfterMinutes: 30,
  warnAfterAttempts: 5,
  /** An endpoint that has accepted nothing for this long is turned off. */
  offAfterDays: 5,
  /** For how many days events are held for an endpoint that is off. Turning it on within this time sends them. */
  heldDays: 3,
  /** How long deliveries and their attempts are stored. */
  logDays: 90,
} as const;

export const webhookOffReasons = ['merchant', 'gone', 'failing'] as const;

/** A merchant's address that receives events, of all types or of some. */
export const webhookEndpoint = z.object({
  id: z.string(),
  url: z.string(),
  description: z.string(),
  /** The subscribed types; an empty list means all types, including future ones. */
  events: z.array(eventType),
  state: z.enum(['on', 'off']),
  /** Why the endpoint is off: its owner turned it off, it responded with 410 (Gone), or it failed for days. */
  off_reason: z.nullable(z.enum(webhookOffReasons)),
  off_at: z.nullable(moment),
  /** When the current series of failures began; null if the latest attempt succeeded. */
  failing_since: z.nullable(moment),
  /** The number of failed attempts in that series; 0 if the latest attempt succeeded. */
  failures: z.int(),
  /** Accurate only to a minute, so that not every delivery updates the endpoint. */
  last_delivered_at: z.nullable(moment),
  created_at: moment,
});
export type WebhookEndpoint = z.infer<typeof webhookEndpoint>;

export const newWebhookEndpoint = z.object({
  url: z
    .string({ error: 'Informe o endereço (url).' })
    .check(
      z.trim(),
      z.minLength(1, 'Informe o endereço (url).'),
      z.maxLength(WEBHOOK_LIMITS.urlMaxLength, 'O endereço é longo demais.'),
    ),
  description: z._default(
    z
      .string({ error: 'A descrição deve ser um texto.' })
      .check(
        z.trim(),
        z.maxLength(WEBHOOK_LIMITS.descriptionMaxLength, 'A descrição tem no máximo 100 caracteres.'),
      ),
    '',
  ),
  events: z._default(
    z
      .array(z.enum(eventTypes, { error: 'Tipo de evento desconhecido.' }), {
        error: 'events deve ser uma lista de tipos: ["payment.paid"].',
      })
      // A length check would also run on a string, which is no list but has a length. A refinement runs only on lists.
      .check(z.refine((types) => types.length <= eventTypes.length, 'Há tipos de evento repetidos.')),
    [],
  ),
});

export const deliveryStates = ['waiting', 'held', 'delivered', 'failed'] as const;

/**
 * The delivery of one event to one address. A `waiting` delivery is attempted next at `next_attempt_at`. A `held`
 * delivery waits for its endpoint, which is off. A `failed` delivery is not attempted again.
 */
export const webhookDelivery = z.object({
  id: z.string(),
  /** The header `webhook-id`. */
  event_id: z.string(),
  type: z.string(),
  /** The id of the charge, withdrawal or dispute that the event is about; in a test event, the id of the endpoint. */
  subject_id: z.string(),
  /** Null if the event goes to the callback address of the charge or withdrawal. */
  endpoint_id: z.nullable(z.string()),
  url: z.string(),
  state: z.enum(deliveryStates),
  attempts: z.int(),
  /** The HTTP status of the last attempt; null if that attempt got no response. */
  last_status: z.nullable(z.int()),
  /** Why the last attempt got no response; null if that attempt got one. */
  last_error: z.nullable(z.string()),
  next_attempt_at: z.nullable(moment),
  /** Whether somebody requested this delivery as a repetition of an earlier one. */
  resent: z.boolean(),
  created_at: moment,
  finished_at: z.nullable(moment),
});
export type WebhookDelivery = z.infer<typeof webhookDelivery>;

export const webhookAttempt = z.object({
  number: z.int(),
  at: moment,
  duration_ms: z.int(),
  status: z.nullable(z.int()),
  /** A code that says why the attempt got no response. */
  error: z.nullable(z.string()),
  /** The same reason as a Portuguese sentence. */
  error_text: z.nullable(z.string()),
  /** The request headers. */
  headers: z.record(z.string(), z.string()),
  /** The beginning of the response body. */
  answer: z.nullable(z.string()),
});
export type WebhookAttempt = z.infer<typeof webhookAttempt>;

export const webhookDeliveryDetail = z.extend(webhookDelivery, {
  /** The exact body sent; null if the event is no longer stored. */
  body: z.nullable(z.string()),
  log: z.array(webhookAttempt),
});
export type WebhookDeliveryDetail = z.infer<typeof webhookDeliveryDetail>;
