import type { Deps } from '../deps.ts';
import { findLink, linkIdOf } from '../mail/index.ts';
import { Refusal } from '../refusal.ts';

export type EmailLink = { readonly id: string; readonly userId: number };

/** The link to a new address that a token opens, and whose; it still opens after that. Refused with LINK_EXPIRED. */
export async function checkEmailLink(
  { db, clock, secrets }: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  token: string,
): Promise<EmailLink> {
  const id = linkIdOf(secrets, token);
  const link = id && (await findLink(db, id, 'email', clock.now()));
  if (!id || !link) throw new Refusal('LINK_EXPIRED');
  return { id, userId: link.userId };
}
