export { forgetNotifications } from './forget-notifications.ts';
export { type LiveChannel, type LiveChannelOptions, mountLiveChannel } from './live-channel.ts';
export type { LiveOwner } from './live-hub.ts';
export type { NewNotification } from './notify.ts';
export { notify } from './notify.ts';
