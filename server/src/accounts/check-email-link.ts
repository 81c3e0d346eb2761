import type { Deps } from '../deps.ts';
import { findLink, linkIdOf } from '../mail/index.ts';
import { Refusal } from '../refusal.ts';

export type EmailLink = { readonly id: string; readonly userId: number };

/** Returns the e-mail change link of a token and its account, without consuming the link. Refused with LINK_EXPIRED. */
export async function checkEmailLink(
  { db, clock, secrets }: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  token: string,
): Promise<EmailLink> {
  const id = linkIdOf(secrets, token);
  const link = id && (await findLink(db, id, 'email', clock.now()));
  if (!id || !link) throw new Refusal('LINK_EXPIRED');
  return { id, userId: link.userId };
}
