import type { Tx } from '../db/transaction.ts';
import { deleteChallengesOf } from './factor-store.ts';
import { ENDED_SESSIONS_CHANNEL } from './sign-out.ts';
import { deleteSessionsOf, updatePasswordHash } from './store.ts';

/** Gives an account another password and ends all that the old one opened: sessions, and sign-ins half done. */
export async function replacePassword(tx: Tx, userId: number, passwordHash: string): Promise<void> {
  await updatePasswordHash(tx.db, userId, passwordHash, tx.now);
  await deleteChallengesOf(tx, userId);
  await deleteSessionsOf(tx.db, userId, ENDED_SESSIONS_CHANNEL);
}
