import type { Deps } from '../deps.ts';
import { findLink, linkIdOf } from '../mail/index.ts';
import { Refusal } from '../refusal.ts';
import { type Account, findOwner } from './store.ts';

export type ResetLink = { readonly id: string; readonly owner: Account };

/** The link that a token opens, and whose account; it still opens after that. Refused with LINK_EXPIRED. */
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
