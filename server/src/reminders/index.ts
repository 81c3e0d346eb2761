import type { ModuleLoop } from '../deps.ts';
import { askToAuthorize } from './ask-to-authorize.ts';
import { sendReminders } from './send-reminders.ts';
import { tellOfFailedDebits } from './tell-of-failed-debits.ts';

/** Reminders: mails to customers about due dates, debits that failed and debits to authorise, in the words of the merchant. */
export { reminderRoutes } from './routes.ts';

export const reminderLoops: readonly ModuleLoop[] = [
  { name: 'reminders', everyMs: 60_000, work: sendReminders },
  { name: 'failed debits', everyMs: 60_000, work: tellOfFailedDebits },
  { name: 'authorization requests', everyMs: 60_000, work: askToAuthorize },
];
