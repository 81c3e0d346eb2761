import * as z from 'zod/mini';
import { eventType, eventTypes } from './event.ts';
import { moment } from './user.ts';

export const WEBHOOKS = {
  /** The maximum number of endpoints per merchant. */
  endpoints: 16,
  descriptionMaxLength: 100,
  urlMaxLength: 2048,
  /** How many deliveries one call can resend at most: if it names them by id, and if it names a period. */
  resendIds: 100,
  resendPeriod: 1000,
  /** How long a replaced secret still signs, beside the new one. */
  rotationHours: 24,
  /**
   * The owner of an endpoint that has failed for this long and this many times is notified, once a day; after
   * `offAfterDays` of nothing but failures the endpoint is turned off.
   */
  warnAfterMinutes: 30,
  warnAfterAttempts: 5,
  offAfterDays: 5,
  /** How long events are kept for an endpoint that is off. */
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
  /** Why the endpoint is off: its owner turned it off, it responded with 410, or it failed for days. */
  off_reason: z.nullable(z.enum(webhookOffReasons)),
  off_at: z.nullable(moment),
  /** Since when, and over how many attempts, the endpoint has been failing; null and 0 if it works. */
  failing_since: z.nullable(moment),
  failures: z.int(),
  /** Accurate to a minute. */
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
      z.maxLength(WEBHOOKS.urlMaxLength, 'O endereço é longo demais.'),
    ),
  description: z._default(
    z
      .string({ error: 'A descrição deve ser um texto.' })
      .check(
        z.trim(),
        z.maxLength(WEBHOOKS.descriptionMaxLength, 'A descrição tem no máximo 100 caracteres.'),
      ),
    '',
  ),
  events: z._default(
    z
      .array(z.enum(eventTypes, { error: 'Tipo de evento desconhecido.' }), {
        error: 'events deve ser uma lista de tipos: ["payment.paid"].',
      })
      // A string has a length too, so this check runs only on lists.
      .check(z.refine((types) => types.length <= eventTypes.length, 'Há tipos de evento repetidos.')),
    [],
  ),
});

export const deliveryStates = ['waiting', 'held', 'delivered', 'failed'] as const;

/**
 * The delivery of one event to one address. `waiting`: the next attempt is at `next_attempt_at`; `held`: the endpoint
 * is off; `failed`: there are no further attempts.
 */
export const webhookDelivery = z.object({
  id: z.string(),
  /** The header `webhook-id`. */
  event_id: z.string(),
  type: z.string(),
  /** The charge, withdrawal or dispute of the event; for a test, the endpoint. */
  subject_id: z.string(),
  /** Null if the event goes to the callback address of the charge or withdrawal. */
  endpoint_id: z.nullable(z.string()),
  url: z.string(),
  state: z.enum(deliveryStates),
  attempts: z.int(),
  /** The HTTP status of the last attempt, and why that attempt got no response; one of them is null. */
  last_status: z.nullable(z.int()),
  last_error: z.nullable(z.string()),
  next_attempt_at: z.nullable(moment),
  /** Whether this delivery repeats an earlier one, because somebody asked for it. */
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
  /** Why the attempt got no response: a code, and a Portuguese sentence. */
  error: z.nullable(z.string()),
  error_text: z.nullable(z.string()),
  /** The request headers. */
  headers: z.record(z.string(), z.string()),
  /** The beginning of the response. */
  answer: z.nullable(z.string()),
});
export type WebhookAttempt = z.infer<typeof webhookAttempt>;

export const webhookDeliveryDetail = z.extend(webhookDelivery, {
  /** The exact body sent; null if the event is no longer stored. */
  body: z.nullable(z.string()),
  log: z.array(webhookAttempt),
});
export type WebhookDeliveryDetail = z.infer<typeof webhookDeliveryDetail>;
