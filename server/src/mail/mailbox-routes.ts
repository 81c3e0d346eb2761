import { type ResponseOf, sandboxMails } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { Refusal } from '../refusal.ts';
import { mailTextOf } from './send-mails.ts';
import { findMailsWithText } from './store.ts';

export function mailRoutes(deps: Deps): Route[] {
  return [route(sandboxMails, () => readMailbox(deps))];
}

const maxMails = 100;

/**
 * Returns the mails that the sandbox stores instead of sending them, newest first. Refused with NOT_FOUND on a gateway
 * that has no such mailbox.
 */
async function readMailbox(
  deps: Pick<Deps, 'db' | 'clock' | 'config' | 'secrets'>,
): Promise<ResponseOf<typeof sandboxMails>> {
  if (deps.config.mail.goes !== 'to the mailbox') throw new Refusal('NOT_FOUND');
  const storedMails = await findMailsWithText(deps.db, deps.clock.now(), maxMails);
  return {
    mails: storedMails.map((row) => ({
      id: row.id,
      to: row.recipient,
      subject: row.subject,
      text: mailTextOf(deps, row),
      created_at: row.createdAt.toISOString(),
    })),
  };
}
