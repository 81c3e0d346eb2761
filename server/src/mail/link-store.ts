import { randomUUID } from 'node:crypto';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';
import type { LinkPurpose } from './link.ts';

/**
 * A single-use link that a mail carries, for a new password, to confirm an e-mail address, or to become a member of the
 * account. `email` is the new e-mail address, or the one that was invited.
 */
export type MailLink = { readonly userId: number; readonly email: string | null };

/** Creates a single-use link that expires after `lifetimeMs`, and returns its id for the mail that carries it. */
export async function createMailLink(
  { db, now }: Tx,
  link: { userId: number; purpose: LinkPurpose; email?: string; lifetimeMs: number },
): Promise<string> {
  const id = randomUUID();
  await db
    .insertInto('mail_links')
    .values({
      id,
      user_id: link.userId,
      purpose: link.purpose,
      email: link.email ?? null,
      created_at: now,
      expires_at: new Date(now.getTime() + link.lifetimeMs),
    })
    .execute();
  return id;
}

/** Finds a link that has not expired. */
export function findMailLink(
  db: Db,
  id: string,
  purpose: LinkPurpose,
  now: Date,
): Promise<MailLink | undefined> {
  return db
    .selectFrom('mail_links')
    .select(['user_id as userId', 'email'])
    .where('id', '=', id)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/** Deletes a link and returns it, so that only one of two concurrent uses succeeds. */
export function consumeMailLink(
  { db, now }: Tx,
  id: string,
  purpose: LinkPurpose,
): Promise<MailLink | undefined> {
  return db
    .deleteFrom('mail_links')
    .where('id', '=', id)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .returning(['user_id as userId', 'email'])
    .executeTakeFirst();
}

/** Cancels an account's links of a purpose. Returns how many of them had not expired. */
export async function cancelMailLinks(
  { db, now }: Tx,
  userId: number,
  purpose: LinkPurpose,
): Promise<number> {
  const deletedLinks = await db
    .deleteFrom('mail_links')
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .returning('expires_at')
    .execute();
  return deletedLinks.filter(({ expires_at }) => expires_at > now).length;
}

/** Returns the new e-mail address that an account has yet to confirm; null if there is none. */
export async function findPendingEmail(db: Db, userId: number, now: Date): Promise<string | null> {
  const link = await db
    .selectFrom('mail_links')
    .select('email')
    .where('user_id', '=', userId)
    .where('purpose', '=', 'email')
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return link?.email ?? null;
}

export async function deleteLinks(db: Db, endedBy: Date): Promise<void> {
  await db.deleteFrom('mail_links').where('expires_at', '<=', endedBy).execute();
}
