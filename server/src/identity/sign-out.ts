import { retryOnConflict } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { deleteSession } from './store.ts';

/**
 * PostgreSQL channel that names each session that ended, as its hash in hexadecimal, and behind it `frozen` where that is
 * why: its sockets are to be closed.
 */
export const ENDED_SESSIONS_CHANNEL = 'jangada_sessions';

export async function signOut({ db }: Pick<Deps, 'db'>, { sessionHash }: Caller): Promise<void> {
  if (sessionHash === undefined) return;
  await retryOnConflict(() => deleteSession(db, sessionHash, ENDED_SESSIONS_CHANNEL));
}
