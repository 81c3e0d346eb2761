import { sandboxMails } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { readMailbox } from './read-mailbox.ts';

export function mailRoutes(deps: Deps): Route[] {
  return [route(sandboxMails, () => readMailbox(deps))];
}
