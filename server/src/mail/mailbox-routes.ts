import { type ResponseOf, sandboxMails } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { Refusal } from '../refusal.ts';
import { wholeText } from './send-mails.ts';
import { findKeptMails } from './store.ts';

export function mailRoutes(deps: Deps): Route[] {
  return [route(sandboxMails, () => readMailbox(deps))];
}

const mostShown = 100;

/** Returns the mails kept by the sandbox, newest first. Refused with NOT_FOUND where there is no mailbox. */
async function readMailbox(
  deps: Pick<Deps, 'db' | 'clock' | 'config' | 'secrets'>,
): Promise<ResponseOf<typeof sandboxMails>> {
  if (deps.config.mail.goes !== 'to the mailbox') throw new Refusal('NOT_FOUND');
  const kept = await findKeptMails(deps.db, deps.clock.now(), mostShown);
  return {
    mails: kept.map((row) => ({
      id: row.id,
      to: row.recipient,
      subject: row.subject,
      text: wholeText(deps, row),
      created_at: row.createdAt.toISOString(),
    })),
  };
}
