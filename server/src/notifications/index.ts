export { forgetDevices } from './forget-devices.ts';
export { forgetNotifications } from './forget-notifications.ts';
export { keepNotifications, type NewNotification } from './keep-notifications.ts';
export { type LiveChannel, type LiveChannelOptions, mountLiveChannel } from './live-channel.ts';
export type { LiveOwner } from './live-hub.ts';
export { readNotifications } from './read-notifications.ts';
export { notificationRoutes } from './routes.ts';
export { createPushSender, type PushSender } from './send-pushes.ts';
export { vapidOf } from './vapid.ts';
