import {
  getNotificationPreferences,
  listNotifications as listEndpoint,
  readNotifications as readEndpoint,
  registerPush as registerEndpoint,
  setNotificationPreferences,
  unregisterPush as unregisterEndpoint,
} from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { listNotifications, markNotificationsRead } from './list-notifications.ts';
import { readPushPreferences, registerPush, setPushPreferences, unregisterPush } from './push-devices.ts';

export function notificationRoutes(deps: Deps): Route[] {
  return [
    route(registerEndpoint, async ({ caller, body, userAgent }) => ({
      success: true as const,
      push_id: await registerPush(deps, caller, { token: body.token, userAgent }),
    })),
    route(unregisterEndpoint, async ({ caller, body }) => {
      await unregisterPush(deps, caller.userId, body.token);
      return { success: true as const };
    }),
    route(listEndpoint, ({ caller, query }) => listNotifications(deps, caller.userId, query)),
    route(readEndpoint, async ({ caller, body }) => ({
      unread: await markNotificationsRead(deps, caller.userId, body.ids),
    })),
    route(getNotificationPreferences, async ({ caller }) => ({
      push: await readPushPreferences(deps, caller.userId),
    })),
    route(setNotificationPreferences, async ({ caller, body }) => ({
      push: await setPushPreferences(deps, caller.userId, body.push),
    })),
  ];
}
