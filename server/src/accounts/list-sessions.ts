import type { SessionItem } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { findLiveSessions } from '../identity/index.ts';
import { listSessionsOf } from './store.ts';

const mostShown = 100;

/** Lists the open sessions of the caller's account, last used first. */
export async function listSessions(
  deps: Pick<Deps, 'db' | 'clock'>,
  { userId, sessionHash }: Caller,
): Promise<SessionItem[]> {
  const sessions = await listSessionsOf(deps.db, userId, deps.clock.now(), mostShown);
  const alive = await findLiveSessions(
    deps,
    sessions.map((session) => session.token_hash),
  );
  return sessions
    .filter(({ token_hash }) => alive.some((hash) => hash.equals(token_hash)))
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
