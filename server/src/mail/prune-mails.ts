import type { Deps } from '../deps.ts';
import { deleteLinks } from './link-store.ts';
import { deleteMails } from './store.ts';

const day = 24 * 3_600_000;
/** Days that mails are kept: the sandbox mailbox with texts, elsewhere only the record that a mail was sent. */
const keptDays = { mailbox: 7, notes: 90 };

/** Deletes old mails and expired links. */
export async function pruneMails({
  db,
  clock,
  config,
}: Pick<Deps, 'db' | 'clock' | 'config'>): Promise<void> {
  const now = clock.now();
  const days = config.mail.goes === 'to the mailbox' ? keptDays.mailbox : keptDays.notes;
  await deleteMails(db, new Date(now.getTime() - days * day));
  await deleteLinks(db, now);
}
