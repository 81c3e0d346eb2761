/*
 * Notifications: messages to an account, stored in its list, shown on its open screens (the live channel) and pushed to
 * its devices.
 */
export { markNotificationsRead, pruneNotifications } from './list-notifications.ts';
export { type LiveChannel, type LiveChannelOptions, mountLiveChannel } from './live-channel.ts';
export type { LiveOwner } from './live-hub.ts';
export {
  notifyAdministrators,
  payoutsStoppedNotification,
  retractAdministratorNotifications,
} from './notify-administrators.ts';
export { prunePushDevices } from './push-devices.ts';
export { notificationRoutes } from './routes.ts';
export {
  buildNotificationsSql,
  type NewNotification,
  type NotificationText,
  saveNotifications,
} from './save-notifications.ts';
export { createPushSender, type PushSender } from './send-pushes.ts';
export { vapidOf } from './vapid.ts';
