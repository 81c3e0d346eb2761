export { forgetNotifications } from './forget-notifications.ts';
export { keepNotifications, type NewNotification } from './keep-notifications.ts';
export { type LiveChannel, type LiveChannelOptions, mountLiveChannel } from './live-channel.ts';
export type { LiveOwner } from './live-hub.ts';
