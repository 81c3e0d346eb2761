import type { Tx } from '../db/transaction.ts';
import { ENDED_SESSIONS_CHANNEL } from './sign-out.ts';
import { deleteSessionsOf } from './store.ts';

/**
 * Ends all sessions of an account but the one to keep, and answers how many. Their sockets close when this is committed;
 * `frozen`: which tells their screens that the account is.
 */
export function endSessions(
  tx: Tx,
  userId: number,
  { kept, frozen = false }: { readonly kept?: Buffer | undefined; readonly frozen?: boolean } = {},
): Promise<number> {
  return deleteSessionsOf(tx.db, userId, { channel: ENDED_SESSIONS_CHANNEL, kept: kept ?? null, frozen });
}
