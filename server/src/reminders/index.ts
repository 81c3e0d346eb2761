import type { ModuleLoop } from '../deps.ts';
import { sendReminders } from './send-reminders.ts';

/** Reminders: mails to customers about charges with a due date, in the words of the merchant. */
export { reminderRoutes } from './routes.ts';

export const reminderLoops: readonly ModuleLoop[] = [
  { name: 'reminders', everyMs: 60_000, work: sendReminders },
];
