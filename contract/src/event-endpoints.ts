// `isExtension`: the call is beyond the specification (docs/specification.md), so other gateways may lack it.
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { eventId, eventType, feedEvent } from './event.ts';

export const listEvents = endpoint({
  name: 'listEvents',
  method: 'GET',
  path: '/events',
  access: 'merchant',
  permission: 'manage-webhooks',
  scope: 'read',
  tag: 'Eventos',
  summary:
    'Tudo o que aconteceu na conta, do mais antigo ao mais novo, sem falhas e sem repetição, por 30 dias.',
  query: z.object({
    /** The id of the last event that the caller has read. Without it, the page begins with the oldest stored event. */
    after: z.optional(eventId),
    type: z.optional(eventType),
    limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 50),
  }),
  response: z.object({
    data: z.array(feedEvent),
    /** Whether more events can be read now. With a `type`, even a page that is not full may be followed by more. */
    has_more: z.boolean(),
    /** The value to send as `after` in the next call; null if the feed is empty. */
    next: z.nullable(z.string()),
  }),
  refusals: ['EVENT_CURSOR_UNKNOWN'],
  isExtension: true,
});

export const getEvent = endpoint({
  name: 'getEvent',
  method: 'GET',
  path: '/events/{id}',
  access: 'merchant',
  permission: 'manage-webhooks',
  scope: 'read',
  tag: 'Eventos',
  summary: 'Um evento, pelo seu webhook-id.',
  params: z.object({ id: eventId }),
  response: feedEvent,
  refusals: ['EVENT_NOT_FOUND'],
  isExtension: true,
});

export const eventEndpoints = [listEvents, getEvent] as const;
