import type { Tx } from '../db/transaction.ts';
import { ENDED_SESSIONS_CHANNEL } from './sign-out.ts';
import { announceFrozenSessions, deleteSessionsOf } from './store.ts';

/** Ends all sessions of an account but the one to keep, and answers how many. Their sockets close when this is committed. */
export function endSessions(
  tx: Tx,
  userId: number,
  { kept }: { readonly kept?: Buffer | undefined } = {},
): Promise<number> {
  return deleteSessionsOf(tx.db, userId, { channel: ENDED_SESSIONS_CHANNEL, kept: kept ?? null });
}

/**
 * Closes the sockets of an account that is frozen, when this is committed. Its sessions open nothing any more, and stay
 * to tell whoever holds one why: they are ended when the account is let go on.
 */
export function closeFrozenScreens(tx: Tx, userId: number): Promise<void> {
  return announceFrozenSessions(tx.db, userId, ENDED_SESSIONS_CHANNEL);
}
