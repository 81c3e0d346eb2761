import type { SessionItem } from '@jangada/contract';
import { inTransaction, retryOnConflict } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import {
  CLOSED_SESSIONS_CHANNEL,
  deleteSessionById,
  endSessions,
  findLiveSessions,
} from '../identity/index.ts';
import { Refusal } from '../refusal.ts';
import { listUnexpiredSessions } from './store.ts';

const maxSessionsListed = 100;

/** Lists the open sessions of the caller's account, most recently used first. */
export async function listSessions(
  deps: Pick<Deps, 'db' | 'clock'>,
  { userId, sessionHash }: Caller,
): Promise<SessionItem[]> {
  const sessions = await listUnexpiredSessions(deps.db, userId, deps.clock.now(), maxSessionsListed);
  const liveHashes = await findLiveSessions(
    deps,
    sessions.map((session) => session.token_hash),
  );
  return sessions
    .filter(({ token_hash }) => liveHashes.some((hash) => hash.equals(token_hash)))
    .map((session) => ({
      id: session.id,
      current: sessionHash !== undefined && session.token_hash.equals(sessionHash),
      created_at: session.created_at.toISOString(),
      last_seen_at: session.last_seen_at.toISOString(),
      address: session.address,
      user_agent: session.user_agent,
      second_factor: session.factor_at !== null,
    }));
}

/** Ends one session of the caller's account, even the current one; its sockets close. Refused with NOT_FOUND. */
export async function endSession({ db }: Pick<Deps, 'db'>, { userId }: Caller, id: string): Promise<void> {
  const ended = await retryOnConflict(() => deleteSessionById(db, userId, id, CLOSED_SESSIONS_CHANNEL));
  if (!ended) throw new Refusal('NOT_FOUND');
}

/** Ends all sessions of the caller's account except the current one. Returns how many were ended. */
export async function endOtherSessions(
  deps: Pick<Deps, 'db' | 'clock'>,
  { userId, sessionHash }: Caller,
): Promise<number> {
  if (sessionHash === undefined) throw new Refusal('UNAUTHENTICATED');
  return inTransaction(deps, (tx) => endSessions(tx, userId, { keptSessionHash: sessionHash }));
}
