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

const hourMs = 3_600_000;
const SESSION_IDLE_MS = 12 * hourMs;
export const SESSION_MAX_MS = 7 * 24 * hourMs;
/** The time of a session's last call is stored at most this often, so that not every call writes to the database. */
const SESSION_TOUCH_MS = 60_000;
const TICKET_MS = 30_000;
/** How long a challenge (a pending request for a second factor or a passkey) can be answered. */
export const CHALLENGE_MS = 5 * 60_000;
/** For this long after a second factor was entered, its session is not asked for one again. */
export const FACTOR_FRESH_MS = 5 * 60_000;

/** A bearer token of 256 random bits. The database stores only its hash. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Plain SHA-256, without salt or stretching, is enough: a token is random and too long to be guessed. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/**
 * Returns the caller behind a session token. Refused with UNAUTHENTICATED if the session is unknown, idle or expired. A
 * session of a frozen account is refused with the same code; the message and `details.reason` then say that the account
 * is frozen.
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
 * The refusal has status 401, because every dashboard treats 401 as the end of the session. Its reason shows that
 * signing in again would not help.
 */
function frozenRefusal(): Refusal {
  const reason: ErrorCode = 'ACCOUNT_FROZEN';
  return new Refusal('UNAUTHENTICATED', { message: errors[reason].message, details: { reason } });
}

/**
 * Returns the hashes of those sessions that are still live. This look-up does not count as activity of a session, so a
 * session that makes no calls still becomes idle.
 */
export function findLiveSessions(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  sessionHashes: readonly Buffer[],
): Promise<Buffer[]> {
  const now = clock.now();
  return selectLiveSessions(db, sessionHashes, now, new Date(now.getTime() - SESSION_IDLE_MS));
}

/**
 * Issues a ticket that opens the live channel (a WebSocket) once, within 30 seconds. The dashboard puts a ticket into
 * the channel's URL instead of the session token, because URLs end up in logs.
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
 * Returns whether the token is a stored ticket, even an expired one, or the token of a live session. Does not consume
 * the ticket.
 */
export async function isTicketOrSessionToken(
  deps: Pick<Deps, 'db' | 'clock'>,
  token: string,
): Promise<boolean> {
  const hash = hashToken(token);
  if (await hasTicket(deps.db, hash)) return true;
  return (await findLiveSessions(deps, [hash])).length > 0;
}

/**
 * Returns the caller who requested a ticket, and consumes the ticket; also accepts a session token. Refused with
 * UNAUTHENTICATED if the token is neither, if the ticket has expired, or if the session has ended.
 */
export async function redeemLiveTicket(deps: Pick<Deps, 'db' | 'clock'>, token: string): Promise<Caller> {
  const hash = hashToken(token);
  const ticket = await takeTicket(deps.db, hash);
  if (ticket === undefined) return callerOfSession(deps, hash);
  if (ticket.expires_at <= deps.clock.now()) throw new Refusal('UNAUTHENTICATED');
  return callerOfSession(deps, ticket.session_hash);
}

/**
 * The cookie that contains a browser's `device`: a random token that identifies the browser and grants no access. A
 * browser that signed in to an account before has an attempt limit of its own for that account, so that wrong guesses
 * by others cannot lock the owner out.
 */
const cookieName = 'jangada_device';
const yearSeconds = 31_536_000;

/** Returns the device token in a Cookie header, or undefined if there is no well-formed one. */
export function parseDeviceCookie(cookieHeader: string | undefined): string | undefined {
  return /(?:^|;\s*)jangada_device=([A-Za-z0-9_-]{43})(?:;|$)/.exec(cookieHeader ?? '')?.[1];
}

/** Creates a device token and its Set-Cookie header; scripts cannot read the cookie, and other sites cannot send it. */
export function createDeviceCookie(publicUrl: string): { device: string; setCookie: string } {
  const device = newToken();
  const attributes = `Path=/api; Max-Age=${yearSeconds}; HttpOnly; SameSite=Strict`;
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return { device, setCookie: `${cookieName}=${device}; ${attributes}${secure}` };
}

/**
 * The PostgreSQL channel on which ended sessions are announced. Every server process listens to the channel and closes
 * the sockets of these sessions. A message is the session's hash in hexadecimal, followed by `frozen` if the session's
 * account was frozen.
 */
export const ENDED_SESSIONS_CHANNEL = 'jangada_sessions';

export async function signOut({ db }: Pick<Deps, 'db'>, { sessionHash }: Caller): Promise<void> {
  if (sessionHash === undefined) return;
  await retryOnConflict(() => deleteSession(db, sessionHash, ENDED_SESSIONS_CHANNEL));
}

/**
 * Ends all sessions of an account except `keptSession` and returns how many it ended. Their sockets close on commit.
 */
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
export function closeFrozenSockets(tx: Tx, userId: number): Promise<void> {
  return announceFrozenSessions(tx.db, userId, ENDED_SESSIONS_CHANNEL);
}

/** A browser that was not used for this long is forgotten: its next sign-in is notified as one from a new browser. */
const DEVICE_KEPT_MS = 180 * 24 * 3_600_000;

/**
 * Deletes expired sessions and announces them, so that their sockets close. Also deletes expired tickets, challenges,
 * step-ups and attempt counts, and browsers that have not been used for a long time. Meant to run every minute.
 */
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
