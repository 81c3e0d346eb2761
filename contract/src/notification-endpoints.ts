// `isExtension`: the call is beyond the specification (docs/specification.md), so other gateways may lack it.
import * as z from 'zod/mini';
import { endpoint, successResponse } from './endpoint.ts';
import { notification } from './live.ts';
import { notificationKinds } from './notification.ts';

/** A browser's subscription to push messages, as JSON text (PushSubscription.toJSON). */
const pushToken = z
  .string({ error: 'Envie a inscrição de push.' })
  .check(
    z.minLength(1, 'Envie a inscrição de push.'),
    z.maxLength(4096, 'A inscrição de push é longa demais.'),
  );

export const notificationTicket = endpoint({
  name: 'notificationTicket',
  method: 'POST',
  path: '/authed/notifications/ticket',
  access: 'session',
  permission: 'own',
  tag: 'Notificações',
  summary: 'Um bilhete de uso único, válido por 30 segundos, para abrir o canal ao vivo.',
  response: z.object({ ticket: z.string() }),
  refusals: [],
  isExtension: true,
});

export const registerPush = endpoint({
  name: 'registerPush',
  method: 'POST',
  path: '/authed/notifications/register',
  access: 'session',
  permission: 'own',
  tag: 'Notificações',
  summary: 'Inscreve este aparelho para receber notificações push.',
  body: z.object({ token: pushToken }),
  response: z.object({ success: z.literal(true), push_id: z.string() }),
  refusals: ['PUSH_OFF', 'PUSH_TOKEN_INVALID'],
});

export const unregisterPush = endpoint({
  name: 'unregisterPush',
  method: 'POST',
  path: '/authed/notifications/unregister',
  access: 'session',
  permission: 'own',
  tag: 'Notificações',
  summary: 'Remove a inscrição deste aparelho.',
  body: z.object({ token: pushToken }),
  response: successResponse,
  refusals: [],
  isExtension: true,
});

export const listNotifications = endpoint({
  name: 'listNotifications',
  method: 'GET',
  isBatchable: true,
  path: '/authed/notifications',
  access: 'session',
  permission: 'own',
  tag: 'Notificações',
  summary: 'As notificações da conta, da mais nova para a mais antiga.',
  query: z.object({
    limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(50)), 20),
    /** Cursor: `next` of the previous page. */
    before: z.optional(z.uuid('before deve ser o next de uma página anterior.')),
  }),
  response: z.object({
    notifications: z.array(notification),
    /** The number of unread notifications, counted up to 100. */
    unread: z.int(),
    next: z.nullable(z.string()),
  }),
  refusals: [],
  isExtension: true,
});

export const readNotifications = endpoint({
  name: 'readNotifications',
  method: 'POST',
  path: '/authed/notifications/read',
  access: 'session',
  permission: 'own',
  tag: 'Notificações',
  summary: 'Marca como lidas as notificações dadas, ou todas.',
  body: z.object({
    ids: z.optional(z.array(z.uuid('Envie os ids das notificações.')).check(z.maxLength(100))),
  }),
  response: z.object({ unread: z.int() }),
  refusals: [],
  isExtension: true,
});

/** Whether notifications of each kind are pushed to devices. The account's list always contains all kinds. */
const preferences = z.object({ push: z.record(z.enum(notificationKinds), z.boolean()) });

export const getNotificationPreferences = endpoint({
  name: 'getNotificationPreferences',
  method: 'GET',
  path: '/authed/notifications/preferences',
  access: 'session',
  permission: 'own',
  tag: 'Notificações',
  summary: 'Quais notificações vão para os aparelhos.',
  response: preferences,
  refusals: [],
  isExtension: true,
});

export const setNotificationPreferences = endpoint({
  name: 'setNotificationPreferences',
  method: 'PUT',
  path: '/authed/notifications/preferences',
  access: 'session',
  permission: 'own',
  tag: 'Notificações',
  summary: 'Escolhe quais notificações vão para os aparelhos.',
  body: preferences,
  response: preferences,
  refusals: [],
  isExtension: true,
});

export const notificationEndpoints = [
  notificationTicket,
  registerPush,
  unregisterPush,
  listNotifications,
  readNotifications,
  getNotificationPreferences,
  setNotificationPreferences,
] as const;
