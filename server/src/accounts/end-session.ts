import { inTransaction, retryOnConflict } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { ENDED_SESSIONS_CHANNEL, endSessions } from '../identity/index.ts';
import { Refusal } from '../refusal.ts';
import { deleteSessionById } from './store.ts';

/** Ends one session of the caller's account, even the current one; its sockets close. Refused with NOT_FOUND. */
export async function endSession({ db }: Pick<Deps, 'db'>, { userId }: Caller, id: string): Promise<void> {
  const ended = await retryOnConflict(() => deleteSessionById(db, userId, id, ENDED_SESSIONS_CHANNEL));
  if (!ended) throw new Refusal('NOT_FOUND');
}

/** Ends all sessions of the caller's account except the current one. Returns how many were ended. */
export async function endOtherSessions(
  deps: Pick<Deps, 'db' | 'clock'>,
  { userId, sessionHash }: Caller,
): Promise<number> {
  if (sessionHash === undefined) throw new Refusal('UNAUTHENTICATED');
  return inTransaction(deps, (tx) => endSessions(tx, userId, { kept: sessionHash }));
}
