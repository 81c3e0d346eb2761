import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { invariant } from '../invariant.ts';
import { findLink, linkIdOf, takeLink } from '../mail/index.ts';
import { Refusal } from '../refusal.ts';
import { replaceEmail } from './replace-email.ts';
import { lockAccount } from './store.ts';

/**
 * Makes an e-mail address that of its account, by the link that was mailed to it, and answers it. Refused with
 * LINK_EXPIRED or EMAIL_TAKEN.
 */
export async function confirmEmail(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets' | 'outbox'>,
  token: string,
): Promise<string> {
  const id = linkIdOf(deps.secrets, token);
  const link = id && (await findLink(deps.db, id, 'email', deps.clock.now()));
  if (!id || !link) throw new Refusal('LINK_EXPIRED');
  const email = await inTransaction(deps, async (tx) => {
    const account = await lockAccount(tx, link.userId);
    const taken = await takeLink(tx, id, 'email');
    if (taken === undefined || account === undefined || account.frozen_at !== null)
      throw new Refusal('LINK_EXPIRED');
    invariant(taken.email !== null, 'a link that confirms an address has one');
    await replaceEmail(tx, account, taken.email);
    return taken.email;
  });
  deps.outbox.wake();
  return email;
}
