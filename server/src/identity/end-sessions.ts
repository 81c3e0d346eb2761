import type { Tx } from '../db/transaction.ts';
import { ENDED_SESSIONS_CHANNEL } from './sign-out.ts';
import { deleteSessionsOf } from './store.ts';

/** Ends all sessions of an account; their sockets close when this is committed. */
export async function endSessions(tx: Tx, userId: number): Promise<void> {
  await deleteSessionsOf(tx.db, userId, ENDED_SESSIONS_CHANNEL);
}
