import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { invariant } from '../invariant.ts';
import { takeLink } from '../mail/index.ts';
import { Refusal } from '../refusal.ts';
import { checkEmailLink } from './check-email-link.ts';
import { replaceEmail } from './replace-email.ts';
import { lockAccount } from './store.ts';

/**
 * Confirms an e-mail change by the mailed link and returns the new address. Refused with LINK_EXPIRED or EMAIL_TAKEN.
 */
export async function confirmEmail(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  token: string,
): Promise<string> {
  const { id, userId } = await checkEmailLink(deps, token);
  return inTransaction(deps, async (tx) => {
    const account = await lockAccount(tx, userId);
    const taken = await takeLink(tx, id, 'email');
    if (taken === undefined || account === undefined || account.frozen_at !== null)
      throw new Refusal('LINK_EXPIRED');
    invariant(taken.email !== null, 'a link that confirms an address has one');
    await replaceEmail(tx, account, taken.email);
    return taken.email;
  });
}
