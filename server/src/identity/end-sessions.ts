import type { Tx } from '../db/transaction.ts';
import { ENDED_SESSIONS_CHANNEL } from './sign-out.ts';
import { announceFrozenSessions, deleteSessionsOf } from './store.ts';

/** Ends all sessions of an account except `kept` and returns how many. Their sockets close on commit. */
export function endSessions(
  tx: Tx,
  userId: number,
  { kept }: { readonly kept?: Buffer | undefined } = {},
): Promise<number> {
  return deleteSessionsOf(tx.db, userId, { channel: ENDED_SESSIONS_CHANNEL, kept: kept ?? null });
}

/**
 * Closes the sockets of a frozen account on commit. Its sessions grant no access but are kept until the account is
 * unfrozen, so that their holders can be told why.
 */
export function closeFrozenScreens(tx: Tx, userId: number): Promise<void> {
  return announceFrozenSessions(tx.db, userId, ENDED_SESSIONS_CHANNEL);
}
