import { retryOnConflict } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { deleteSession } from './store.ts';

/**
 * PostgreSQL channel with the hexadecimal hash of each ended session, followed by `frozen` if its account was frozen;
 * listeners close its sockets.
 */
export const ENDED_SESSIONS_CHANNEL = 'jangada_sessions';

export async function signOut({ db }: Pick<Deps, 'db'>, { sessionHash }: Caller): Promise<void> {
  if (sessionHash === undefined) return;
  await retryOnConflict(() => deleteSession(db, sessionHash, ENDED_SESSIONS_CHANNEL));
}
