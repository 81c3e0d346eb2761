import { getReminders, setReminders } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { changeReminders, readReminders } from './change-reminders.ts';

/** The endpoints of reminders. */
export function reminderRoutes(deps: Deps): Route[] {
  return [
    route(getReminders, ({ caller }) => readReminders(deps, caller.accountId)),
    route(setReminders, ({ caller, body }) => changeReminders(deps, caller, body)),
  ];
}
