import { createHash, randomBytes } from 'node:crypto';
import { type ErrorCode, errors, hasAbility, memberRole, role } from '@jangada/contract';
import type { Db } from '../db/pool.ts';
import { retryOnConflict, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { Refusal } from '../refusal.ts';
import { deleteChallenges, deleteStepUps } from './factor-store.ts';
import {
  announceFrozenSessions,
  announceMovedSessions,
  deleteEndedSessions,
  deleteSession,
  deleteSessionsForAccount,
  deleteSessionsOf,
  deleteTickets,
  type FoundSession,
  findSession,
  hasTicket,
  insertTicket,
  returnSupportSessions,
  selectLiveSessions,
  takeTicket,
  touchSession,
  updateSessionAccount,
} from './session-store.ts';
import { deleteAttemptCounts, forgetUnusedDevices } from './store.ts';

// A session is live if it is neither expired nor idle and its account is not frozen. Only a live session grants access.

const hourMs = 3_600_000;
/** A session without a call for this long is idle, which ends it. */
const sessionIdleMs = 12 * hourMs;
/** The time of a session's last call is stored at most this often, so that not every call writes to the database. */
const touchIntervalMs = 60_000;
const ticketLifetimeMs = 30_000;
/**
 * A browser that was not used for this long is forgotten: when it signs in again, the owner is told that a new browser
 * signed in.
 */
const deviceForgottenAfterMs = 180 * 24 * hourMs;
/** A session expires this long after the sign-in, however much it is used. */
export const SESSION_MAX_MS = 7 * 24 * hourMs;
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
  if (session === undefined || session.expires_at <= now || session.last_seen_at <= idleCutoffAt(now))
    throw new Refusal('UNAUTHENTICATED');
  if (session.frozen_at !== null) throw frozenRefusal();
  const support = supportOf(session, now);
  // A session ends with the membership for which it acts, except in the account with which the person began.
  const isRemoved = session.member_role === null && session.account_id !== session.user_id;
  if (isRemoved && !session.is_support) throw new Refusal('UNAUTHENTICATED');
  const touchCutoff = new Date(now.getTime() - touchIntervalMs);
  if (session.last_seen_at <= touchCutoff) await touchSession(db, sessionHash, now, touchCutoff);
  return {
    userId: session.user_id,
    accountId: session.account_id,
    ...(session.is_support ? support : membershipOf(session)),
    isAccountFrozen: session.account_frozen,
    role: role.parse(session.role),
    approved: session.approved,
    authMethod: 'session',
    sessionHash,
    signedInAt: session.created_at,
    passwordAt: session.password_at,
    ...(session.factor_at && { factorAt: session.factor_at }),
  };
}

function membershipOf({ member_role, holder }: FoundSession): Pick<Caller, 'memberRole' | 'isHolder'> {
  return {
    memberRole: member_role === null ? undefined : memberRole.parse(member_role),
    isHolder: holder ?? false,
  };
}

/** A session that looks in for support reads like an accountant, until the time that an owner set is over. */
function supportOf(
  { support_until, role: staffRole }: FoundSession,
  now: Date,
): Pick<Caller, 'memberRole' | 'isHolder' | 'supportUntil'> {
  const isAllowed =
    support_until !== null && support_until > now && hasAbility(role.parse(staffRole), 'look-into-accounts');
  if (!isAllowed) return { memberRole: undefined, isHolder: false };
  return { memberRole: 'accountant', isHolder: false, supportUntil: support_until };
}

/** A session whose last call was at this time or earlier is idle. */
function idleCutoffAt(now: Date): Date {
  return new Date(now.getTime() - sessionIdleMs);
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
 * session that makes no calls still becomes idle, even while its WebSocket is open.
 */
export function findLiveSessions(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  sessionHashes: readonly Buffer[],
): Promise<Buffer[]> {
  const now = clock.now();
  return selectLiveSessions(db, sessionHashes, now, idleCutoffAt(now));
}

/**
 * Issues a ticket that opens the WebSocket of the caller's session (its live channel) once, within 30 seconds. The
 * dashboard puts a ticket into the WebSocket's URL instead of the session token, because URLs end up in logs.
 */
export async function issueLiveTicket(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { sessionHash }: Caller,
): Promise<string> {
  // A caller with an API key has no session.
  if (sessionHash === undefined) throw new Refusal('UNAUTHENTICATED');
  const ticket = newToken();
  await insertTicket(db, {
    ticket_hash: hashToken(ticket),
    session_hash: sessionHash,
    expires_at: new Date(clock.now().getTime() + ticketLifetimeMs),
  });
  return ticket;
}

/**
 * Returns whether the token is a stored ticket or the token of a live session. Does not consume the ticket. Called
 * before a network that has guessed too often may open a WebSocket. A stored ticket counts even if it has expired,
 * because whoever shows it did not guess it.
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
 * Returns the caller who requested a ticket, and consumes the ticket. Also accepts a session token, because the
 * specification has clients put one into the WebSocket's URL, though our dashboard sends a ticket instead. Refused with
 * UNAUTHENTICATED if the token is neither, if the ticket has expired, or if the session is not live.
 */
export async function redeemTicketOrSessionToken(
  deps: Pick<Deps, 'db' | 'clock'>,
  token: string,
): Promise<Caller> {
  const hash = hashToken(token);
  const ticket = await takeTicket(deps.db, hash);
  if (ticket === undefined) return callerOfSession(deps, hash);
  if (ticket.expires_at <= deps.clock.now()) throw new Refusal('UNAUTHENTICATED');
  return callerOfSession(deps, ticket.session_hash);
}

/**
 * This cookie holds the device token, which identifies a browser and grants no access. A browser that signed in to an
 * account before has an attempt limit of its own for that account, so that wrong guesses by others cannot lock the
 * owner out.
 */
const deviceCookieName = 'jangada_device';
/** Matches the cookie in a Cookie header. A device token is 32 bytes in base64url, which are 43 characters. */
const deviceCookiePattern = new RegExp(`(?:^|;\\s*)${deviceCookieName}=([A-Za-z0-9_-]{43})(?:;|$)`);
const yearSeconds = 31_536_000;

/** Returns the device token in a Cookie header, or undefined if there is no well-formed one. */
export function parseDeviceCookie(cookieHeader: string | undefined): string | undefined {
  return deviceCookiePattern.exec(cookieHeader ?? '')?.[1];
}

/** Creates a device token and its Set-Cookie header; scripts cannot read the cookie, and other sites cannot send it. */
export function createDeviceCookie(publicUrl: string): { device: string; setCookie: string } {
  const device = newToken();
  const attributes = `Path=/api; Max-Age=${yearSeconds}; HttpOnly; SameSite=Strict`;
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return { device, setCookie: `${deviceCookieName}=${device}; ${attributes}${secure}` };
}

/**
 * The PostgreSQL channel (`NOTIFY`) that announces each session that ended, whose account was frozen, or that acts for
 * another account or in another role. Every server process listens to it and closes the WebSockets of these sessions. A
 * message is the session's hash in hexadecimal, followed by `frozen`, or by `moved` with the number of the new account if
 * there is one.
 */
export const CLOSED_SESSIONS_CHANNEL = 'jangada_sessions';

export async function signOut({ db }: Pick<Deps, 'db'>, { sessionHash }: Caller): Promise<void> {
  // A caller with an API key has no session that could end.
  if (sessionHash === undefined) return;
  // The session's tickets, challenges, step-ups and push subscriptions are deleted with it. If another statement
  // deletes the same rows in another order at the same time, they deadlock, and PostgreSQL aborts one of them.
  await retryOnConflict(() => deleteSession(db, sessionHash, CLOSED_SESSIONS_CHANNEL));
}

/**
 * Ends all sessions of an account except `keptSessionHash` and returns how many it ended. Their WebSockets close on
 * commit.
 */
export function endSessions(
  tx: Tx,
  userId: number,
  { keptSessionHash }: { readonly keptSessionHash?: Buffer | undefined } = {},
): Promise<number> {
  return deleteSessionsOf(tx.db, userId, {
    channel: CLOSED_SESSIONS_CHANNEL,
    keptSessionHash: keptSessionHash ?? null,
  });
}

/**
 * Lets a session act for an account, of which its person must be a member. Its WebSockets close on commit, because they
 * show the account before. Returns whether the session still exists.
 */
export function moveSession(tx: Tx, sessionHash: Buffer, accountId: number): Promise<boolean> {
  return updateSessionAccount(tx.db, sessionHash, accountId, CLOSED_SESSIONS_CHANNEL);
}

/** Ends the sessions of a person that act for an account. Their WebSockets close on commit. */
export function endSessionsForAccount(tx: Tx, userId: number, accountId: number): Promise<void> {
  return deleteSessionsForAccount(tx.db, { userId, accountId, channel: CLOSED_SESSIONS_CHANNEL });
}

/** Lets a member of staff's session look into an account for support. Returns whether the session still exists. */
export function moveSessionForSupport(tx: Tx, sessionHash: Buffer, accountId: number): Promise<boolean> {
  return updateSessionAccount(tx.db, sessionHash, accountId, CLOSED_SESSIONS_CHANNEL, { isSupport: true });
}

/**
 * Takes the sessions that look into an account back to their people's own accounts; without an account, those whose
 * time is over. Their WebSockets close.
 */
export function endSupportSessions(db: Db, ended: { readonly accountId: number } | { readonly now: Date }) {
  return returnSupportSessions(db, ended, CLOSED_SESSIONS_CHANNEL);
}

/** Closes the WebSockets of the sessions of a person that act for an account, so that they open in the new role. */
export function reopenChannels(tx: Tx, userId: number, accountId: number): Promise<void> {
  return announceMovedSessions(tx.db, { userId, accountId, channel: CLOSED_SESSIONS_CHANNEL });
}

/**
 * Closes the WebSockets of a frozen account on commit. Its sessions grant no access but remain stored until the account
 * is unfrozen, so that a call with one of them is refused with the reason.
 */
export function closeFrozenSockets(tx: Tx, userId: number): Promise<void> {
  return announceFrozenSessions(tx.db, userId, CLOSED_SESSIONS_CHANNEL);
}

/**
 * Deletes the sessions that expired or became idle, and announces them, so that their WebSockets close. Also deletes
 * expired tickets, challenges (pending requests for a second factor), step-ups (proofs that it was given moments ago)
 * and attempt counts, and forgets browsers that have not been used for a long time. Meant to run every minute.
 */
export async function deleteExpiredIdentityData({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const now = clock.now();
  await deleteEndedSessions(db, now, idleCutoffAt(now), CLOSED_SESSIONS_CHANNEL);
  await endSupportSessions(db, { now });
  await deleteTickets(db, now);
  await deleteChallenges(db, now);
  await deleteStepUps(db, now);
  await deleteAttemptCounts(db, now);
  await forgetUnusedDevices(db, new Date(now.getTime() - deviceForgottenAfterMs));
}
