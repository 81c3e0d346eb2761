import { type ErrorCode, errors, role } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { Refusal } from '../refusal.ts';
import { hashToken, SESSION_IDLE_MS, SESSION_SEEN_MS } from './session.ts';
import { findSession, selectLiveSessions, touchSession } from './store.ts';

/**
 * Returns the caller behind a session token. Refused with UNAUTHENTICATED when the session is unknown, idle or expired,
 * or when the account is frozen; the message and `details.reason` then say so.
 */
export function authenticateSession(deps: Pick<Deps, 'db' | 'clock'>, token: string): Promise<Caller> {
  return callerOfSession(deps, hashToken(token));
}

export async function callerOfSession(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  sessionHash: Buffer,
): Promise<Caller> {
  const now = clock.now();
  const session = await findSession(db, sessionHash);
  const idleSince = new Date(now.getTime() - SESSION_IDLE_MS);
  if (session === undefined || session.expires_at <= now || session.last_seen_at <= idleSince)
    throw new Refusal('UNAUTHENTICATED');
  if (session.frozen_at !== null) throw frozen();
  const seenBefore = new Date(now.getTime() - SESSION_SEEN_MS);
  if (session.last_seen_at <= seenBefore) await touchSession(db, sessionHash, now, seenBefore);
  return {
    userId: session.user_id,
    role: role.parse(session.role),
    approved: session.approved,
    by: 'session',
    sessionHash,
    signedInAt: session.created_at,
    passwordAt: session.password_at,
    ...(session.factor_at && { factorAt: session.factor_at }),
  };
}

/**
 * A 401 because every dashboard treats it as the end of the session; the reason shows that signing in again would not
 * help.
 */
function frozen(): Refusal {
  const reason: ErrorCode = 'ACCOUNT_FROZEN';
  return new Refusal('UNAUTHENTICATED', { message: errors[reason].message, details: { reason } });
}

/** Returns the hashes of the sessions that are still live. Does not count as activity. */
export function findLiveSessions(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  sessionHashes: readonly Buffer[],
): Promise<Buffer[]> {
  const now = clock.now();
  return selectLiveSessions(db, sessionHashes, now, new Date(now.getTime() - SESSION_IDLE_MS));
}
