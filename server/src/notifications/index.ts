export type { NewNotification } from './notify.ts';
export { notify } from './notify.ts';
