import { createHash, randomBytes } from 'node:crypto';
import { type ErrorCode, errors, role } from '@jangada/contract';
import { retryOnConflict, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { Refusal } from '../refusal.ts';
import { deleteChallenges, deleteStepUps } from './factor-store.ts';
import {
  announceFrozenSessions,
  deleteEndedSessions,
  deleteSession,
  deleteSessionsOf,
  deleteTickets,
  findSession,
  hasTicket,
  insertTicket,
  selectLiveSessions,
  takeTicket,
  touchSession,
} from './session-store.ts';
import { deleteThrottles, pruneKnownDevices } from './store.ts';

const hour = 3_600_000;
const SESSION_IDLE_MS = 12 * hour;
export const SESSION_MAX_MS = 7 * 24 * hour;
/** A session's last call is recorded at most this often. */
const SESSION_TOUCH_MS = 60_000;
const TICKET_MS = 30_000;
/** How long a challenge, which is a pending request for a second factor, can be answered. */
export const CHALLENGE_MS = 5 * 60_000;
/** How long a second factor need not be entered again. */
export const FACTOR_FRESH_MS = 5 * 60_000;

/** A bearer token of 256 random bits. The database stores only its hash. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256 is enough for a secret that is itself random. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/**
 * Returns the caller behind a session token. Refused with UNAUTHENTICATED when the session is unknown, idle or expired,
 * or when the account is frozen; the message and `details.reason` then say so.
 */
export function authenticateSession(deps: Pick<Deps, 'db' | 'clock'>, token: string): Promise<Caller> {
  return callerOfSession(deps, hashToken(token));
}

async function callerOfSession(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  sessionHash: Buffer,
): Promise<Caller> {
  const now = clock.now();
  const session = await findSession(db, sessionHash);
  const idleSince = new Date(now.getTime() - SESSION_IDLE_MS);
  if (session === undefined || session.expires_at <= now || session.last_seen_at <= idleSince)
    throw new Refusal('UNAUTHENTICATED');
  if (session.frozen_at !== null) throw frozenRefusal();
  const seenBefore = new Date(now.getTime() - SESSION_TOUCH_MS);
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
 * The status is 401, because every dashboard treats that as the end of the session; the reason shows that signing in
 * again would not help.
 */
function frozenRefusal(): Refusal {
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

/**
 * Issues a ticket that opens the live channel (a WebSocket) once within 30 seconds: no URL may contain a session token.
 */
export async function issueLiveTicket(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { sessionHash }: Caller,
): Promise<string> {
  if (sessionHash === undefined) throw new Refusal('UNAUTHENTICATED');
  const ticket = newToken();
  await insertTicket(db, {
    ticket_hash: hashToken(ticket),
    session_hash: sessionHash,
    expires_at: new Date(clock.now().getTime() + TICKET_MS),
  });
  return ticket;
}

/**
 * Returns whether the token is a stored ticket, which may have expired, or that of a live session. Consumes nothing.
 */
export async function isLiveToken(deps: Pick<Deps, 'db' | 'clock'>, token: string): Promise<boolean> {
  const hash = hashToken(token);
  if (await hasTicket(deps.db, hash)) return true;
  return (await findLiveSessions(deps, [hash])).length > 0;
}

/** Returns the caller behind a ticket, which is consumed, or behind a session token. Refused with UNAUTHENTICATED. */
export async function redeemLiveTicket(deps: Pick<Deps, 'db' | 'clock'>, token: string): Promise<Caller> {
  const hash = hashToken(token);
  const ticket = await takeTicket(deps.db, hash);
  if (ticket === undefined) return callerOfSession(deps, hash);
  if (ticket.expires_at <= deps.clock.now()) throw new Refusal('UNAUTHENTICATED');
  return callerOfSession(deps, ticket.session_hash);
}

/**
 * The cookie with a browser's `device`, a random token that identifies the browser. The token grants no access: it
 * gives a browser that signed in to an account before an attempt limit of its own there, so that wrong guesses by
 * others cannot lock the owner out.
 */
const cookieName = 'jangada_device';
const yearSeconds = 31_536_000;

/** Returns the device token from a Cookie header, if it has a valid one. */
export function deviceOf(cookieHeader: string | undefined): string | undefined {
  return /(?:^|;\s*)jangada_device=([A-Za-z0-9_-]{43})(?:;|$)/.exec(cookieHeader ?? '')?.[1];
}

/** Creates a device token and its Set-Cookie header; scripts cannot read the cookie, and other sites cannot send it. */
export function newDevice(publicUrl: string): { device: string; setCookie: string } {
  const device = newToken();
  const attributes = `Path=/api; Max-Age=${yearSeconds}; HttpOnly; SameSite=Strict`;
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return { device, setCookie: `${cookieName}=${device}; ${attributes}${secure}` };
}

/**
 * The PostgreSQL channel that announces ended sessions to every process, which then closes their sockets. Each message
 * is the hexadecimal hash of a session, followed by `frozen` if the account of the session was frozen.
 */
export const ENDED_SESSIONS_CHANNEL = 'jangada_sessions';

export async function signOut({ db }: Pick<Deps, 'db'>, { sessionHash }: Caller): Promise<void> {
  if (sessionHash === undefined) return;
  await retryOnConflict(() => deleteSession(db, sessionHash, ENDED_SESSIONS_CHANNEL));
}

/** Ends all sessions of an account except `keptSession` and returns how many. Their sockets close on commit. */
export function endSessions(
  tx: Tx,
  userId: number,
  { keptSession }: { readonly keptSession?: Buffer | undefined } = {},
): Promise<number> {
  return deleteSessionsOf(tx.db, userId, {
    channel: ENDED_SESSIONS_CHANNEL,
    keptSession: keptSession ?? null,
  });
}

/**
 * Closes the sockets of a frozen account on commit. Its sessions grant no access but remain stored until the account is
 * unfrozen, so that a call with one of them is refused with the reason.
 */
export function closeFrozenScreens(tx: Tx, userId: number): Promise<void> {
  return announceFrozenSessions(tx.db, userId, ENDED_SESSIONS_CHANNEL);
}

const DEVICE_KEPT_MS = 180 * 24 * 3_600_000;

/** Deletes expired sessions, announcing them, and every other row that has expired. Meant to run every minute. */
export async function pruneIdentity({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const now = clock.now();
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds);
  await deleteEndedSessions(db, now, before(SESSION_IDLE_MS), ENDED_SESSIONS_CHANNEL);
  await deleteTickets(db, now);
  await deleteChallenges(db, now);
  await deleteStepUps(db, now);
  await deleteThrottles(db, now);
  await pruneKnownDevices(db, before(DEVICE_KEPT_MS));
}
