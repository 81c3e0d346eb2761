import type { Tx } from '../db/transaction.ts';
import { cancelLinks } from '../mail/index.ts';
import { endSessions } from './end-sessions.ts';
import { deleteChallengesOf } from './factor-store.ts';
import { updatePasswordHash } from './store.ts';

/**
 * Sets a new password and ends everything the old one opened: sessions except `kept`, unfinished sign-ins and mailed
 * links.
 */
export async function replacePassword(
  tx: Tx,
  userId: number,
  { passwordHash, kept }: { readonly passwordHash: string; readonly kept?: Buffer },
): Promise<void> {
  await updatePasswordHash(tx.db, userId, passwordHash, tx.now);
  await deleteChallengesOf(tx, userId);
  for (const purpose of ['password', 'email'] as const) await cancelLinks(tx, userId, purpose);
  await endSessions(tx, userId, { kept });
}
