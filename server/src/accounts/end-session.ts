import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { ENDED_SESSIONS_CHANNEL } from '../identity/index.ts';
import { Refusal } from '../refusal.ts';
import { deleteOtherSessions, deleteSessionById } from './store.ts';

/** Ends one session of the caller's account, also the one that asks; its sockets close. Refused with NOT_FOUND. */
export async function endSession({ db }: Pick<Deps, 'db'>, { userId }: Caller, id: string): Promise<void> {
  if (!(await deleteSessionById(db, userId, id, ENDED_SESSIONS_CHANNEL))) throw new Refusal('NOT_FOUND');
}

/** Ends all sessions of the caller's account but the one that asks. Answers how many there were. */
export async function endOtherSessions(
  { db }: Pick<Deps, 'db'>,
  { userId, sessionHash }: Caller,
): Promise<number> {
  if (sessionHash === undefined) throw new Refusal('UNAUTHENTICATED');
  return deleteOtherSessions(db, userId, sessionHash, ENDED_SESSIONS_CHANNEL);
}
