import type { Deps } from '../deps.ts';
import { findLink, linkIdOf } from '../mail/index.ts';
import { Refusal } from '../refusal.ts';
import { type Account, findOwner } from './store.ts';

export type ResetLink = { readonly id: string; readonly owner: Account };

/**
 * Returns the password reset link of a token and its account, without consuming the link. Refused with LINK_EXPIRED.
 */
export async function checkResetLink(
  { db, clock, secrets }: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  token: string,
): Promise<ResetLink> {
  const id = linkIdOf(secrets, token);
  const link = id && (await findLink(db, id, 'password', clock.now()));
  const owner = link && (await findOwner(db, link.userId));
  if (!id || !owner || owner.frozen_at !== null) throw new Refusal('LINK_EXPIRED');
  return { id, owner };
}
