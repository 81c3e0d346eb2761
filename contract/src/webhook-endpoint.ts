import * as z from 'zod/mini';
import { eventType, eventTypes } from './event.ts';
import { moment } from './user.ts';

export const WEBHOOKS = {
  /** Endpoints of one merchant. */
  endpoints: 16,
  descriptionMaxLength: 100,
  urlMaxLength: 2048,
  /** What is resent by one call: by ids, and by a period. */
  resendIds: 100,
  resendPeriod: 1000,
  /** A rotated secret signs along for so long. */
  rotationHours: 24,
  /** An endpoint that has failed for so long, in so many attempts, is told of, once a day; then it is turned off. */
  warnAfterMinutes: 30,
  warnAfterAttempts: 5,
  offAfterDays: 5,
  /** Events of an endpoint that is off wait for it so long. */
  heldDays: 3,
  /** Deliveries and their attempts are kept so long. */
  logDays: 90,
} as const;

export const webhookOffReasons = ['merchant', 'gone', 'failing'] as const;

/** An address that is told of events, of all or of some types. */
export const webhookEndpoint = z.object({
  id: z.string(),
  url: z.string(),
  description: z.string(),
  /** The types that it is told; empty: all, those of the future too. */
  events: z.array(eventType),
  state: z.enum(['on', 'off']),
  /** Why it is off: its owner, its answer 410, or days of failures. */
  off_reason: z.nullable(z.enum(webhookOffReasons)),
  off_at: z.nullable(moment),
  /** Since when it took nothing, and in how many attempts; null and 0 while all is well. */
  failing_since: z.nullable(moment),
  failures: z.int(),
  /** Within a minute of the truth. */
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
      // A text has a length too: only a list is asked for its own.
      .check(z.refine((types) => types.length <= eventTypes.length, 'Há tipos de evento repetidos.')),
    [],
  ),
});

export const deliveryStates = ['waiting', 'held', 'delivered', 'failed'] as const;

/**
 * One event on its way to one address. `waiting`: it is tried, or tried again at `next_attempt_at`; `held`: its endpoint
 * is off; `failed`: it is tried no more.
 */
export const webhookDelivery = z.object({
  id: z.string(),
  /** The header `webhook-id`. */
  event_id: z.string(),
  type: z.string(),
  /** The charge, withdrawal or dispute that it speaks of; of a test, the endpoint. */
  subject_id: z.string(),
  /** Null: it goes to the callback address of the charge or withdrawal. */
  endpoint_id: z.nullable(z.string()),
  url: z.string(),
  state: z.enum(deliveryStates),
  attempts: z.int(),
  /** HTTP status of the last attempt, or why there was no answer. */
  last_status: z.nullable(z.int()),
  last_error: z.nullable(z.string()),
  next_attempt_at: z.nullable(moment),
  /** It was asked for again by hand. */
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
  /** Why there is no status, in a word, and as a Portuguese sentence. */
  error: z.nullable(z.string()),
  error_text: z.nullable(z.string()),
  /** The headers that were sent. */
  headers: z.record(z.string(), z.string()),
  /** The beginning of the answer. */
  answer: z.nullable(z.string()),
});
export type WebhookAttempt = z.infer<typeof webhookAttempt>;

export const webhookDeliveryDetail = z.extend(webhookDelivery, {
  /** As it is sent, byte by byte; null where the event is no longer kept. */
  body: z.nullable(z.string()),
  log: z.array(webhookAttempt),
});
export type WebhookDeliveryDetail = z.infer<typeof webhookDeliveryDetail>;
