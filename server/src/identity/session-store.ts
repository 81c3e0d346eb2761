import { sql } from 'kysely';
import { batchPerConnection } from '../db/batch-per-connection.ts';
import type { Db } from '../db/pool.ts';

export type SessionRow = {
  token_hash: Buffer;
  user_id: number;
  created_at: Date;
  last_seen_at: Date;
  expires_at: Date;
  password_at: Date;
  factor_at: Date | null;
  user_agent: string;
  address: string;
};

/**
 * Inserts a session. It acts for the person's own account; for the first other one, if the person is no member of the
 * account with which they began.
 */
export async function insertSession(db: Db, session: SessionRow): Promise<void> {
  const account = sql<number | null>`(
    select nullif(merchant_id, user_id) from members where user_id = ${session.user_id}
    order by merchant_id = user_id desc, added_at, merchant_id limit 1)`;
  await db
    .insertInto('sessions')
    .values({ ...session, account_id: account })
    .execute();
}

/**
 * A session with the status of its person and account. Callers must check it before they grant access: the session may
 * be expired or idle, its person or account frozen, and its person no member of the account.
 */
export type FoundSession = {
  user_id: number;
  /** The account for which the session acts. */
  account_id: number;
  account_frozen: boolean;
  /** Null if the person is not a member of that account. */
  member_role: string | null;
  /** Whether the person holds that account; null if they are not a member. */
  holder: boolean | null;
  is_support: boolean;
  /** Until when an owner lets support look in; null if the session does not look in, or nobody lets it. */
  support_until: Date | null;
  created_at: Date;
  last_seen_at: Date;
  expires_at: Date;
  password_at: Date;
  factor_at: Date | null;
  role: string;
  approved: boolean;
  frozen_at: Date | null;
};

/** Finds a session by the hash of its token. */
export function findSession(db: Db, tokenHash: Buffer): Promise<FoundSession | undefined> {
  return sessionLookUps(db, tokenHash);
}

/**
 * Returns the token hashes of those sessions that have not expired, made a call after `idleCutoff`, and whose account
 * is not frozen.
 */
export async function selectLiveSessions(
  db: Db,
  tokenHashes: readonly Buffer[],
  now: Date,
  idleCutoff: Date,
): Promise<Buffer[]> {
  const { rows } = await sql<{ token_hash: Buffer }>`
    select token_hash from sessions join users on users.id = sessions.user_id
    where token_hash = any(${[...tokenHashes]}::bytea[]) and expires_at > ${now} and last_seen_at > ${idleCutoff}
      and users.frozen_at is null
  `.execute(db);
  return rows.map((row) => row.token_hash);
}

/**
 * Records the time of a session's call, unless one after `touchCutoff` is recorded already, so that only one of several
 * concurrent calls writes.
 */
export async function touchSession(db: Db, tokenHash: Buffer, now: Date, touchCutoff: Date): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ last_seen_at: now })
    .where('token_hash', '=', tokenHash)
    .where('last_seen_at', '<=', touchCutoff)
    .execute();
}

/** Records that the password was just entered in a session. */
export async function recordPasswordEntered(db: Db, tokenHash: Buffer, now: Date): Promise<void> {
  await db.updateTable('sessions').set({ password_at: now }).where('token_hash', '=', tokenHash).execute();
}

/**
 * Sets the account for which a session acts, and announces it on `channel` at commit. Returns whether the session
 * exists.
 */
export async function updateSessionAccount(
  db: Db,
  tokenHash: Buffer,
  accountId: number,
  channel: string,
  { isSupport = false }: { readonly isSupport?: boolean } = {},
): Promise<boolean> {
  const { rows } = await sql`
    with moved as (
      update sessions set account_id = nullif(${accountId}::bigint, user_id), is_support = ${isSupport}
      where token_hash = ${tokenHash}
      returning token_hash)
    select pg_notify(${channel}, encode(token_hash, 'hex') || ' moved ' || ${accountId}::bigint) from moved
  `.execute(db);
  return rows.length > 0;
}

/** Lets the sessions that look in for support act for their people again, and announces it on `channel` at commit. */
export async function returnSupportSessions(
  db: Db,
  ended: { readonly accountId: number } | { readonly now: Date },
  channel: string,
): Promise<void> {
  const isEnded =
    'accountId' in ended
      ? sql`account_id = ${ended.accountId}`
      : sql`not exists (
          select from support_access
          where support_access.merchant_id = account_id and support_access.expires_at > ${ended.now})`;
  await sql`
    with moved as (
      update sessions set account_id = null, is_support = false where is_support and ${isEnded}
      returning token_hash, user_id)
    select pg_notify(${channel}, encode(token_hash, 'hex') || ' moved ' || user_id) from moved
  `.execute(db);
}

/** Ends a session and announces it on `channel` at commit. */
export async function deleteSession(db: Db, tokenHash: Buffer, channel: string): Promise<void> {
  await sql`
    with ended as (delete from sessions where token_hash = ${tokenHash} returning token_hash)
    select pg_notify(${channel}, encode(token_hash, 'hex')) from ended
  `.execute(db);
}

/**
 * Ends all sessions of an account except `keptSessionHash` and announces them on `channel` at commit. Push
 * subscriptions are deleted with their session; those left over from expired sessions are deleted too. Returns the
 * number of sessions ended.
 */
export async function deleteSessionsOf(
  db: Db,
  userId: number,
  { channel, keptSessionHash }: { readonly channel: string; readonly keptSessionHash: Buffer | null },
): Promise<number> {
  const { rows } = await sql`
    with ended as (
      delete from sessions where user_id = ${userId} and token_hash is distinct from ${keptSessionHash}::bytea
      returning token_hash),
    quiet as (delete from push_subscriptions where merchant_id = ${userId} and session_hash is null)
    select pg_notify(${channel}, encode(token_hash, 'hex')) from ended
  `.execute(db);
  return rows.length;
}

type SessionsForAccount = { readonly userId: number; readonly accountId: number; readonly channel: string };

/** Ends the sessions of a person that act for an account, and announces them on `channel` at commit. */
export async function deleteSessionsForAccount(
  db: Db,
  { userId, accountId, channel }: SessionsForAccount,
): Promise<void> {
  await sql`
    with ended as (
      delete from sessions where user_id = ${userId} and account_id = ${accountId} returning token_hash)
    select pg_notify(${channel}, encode(token_hash, 'hex')) from ended
  `.execute(db);
}

/** Announces on `channel` that the sessions of a person that act for an account act in another role. */
export async function announceMovedSessions(
  db: Db,
  { userId, accountId, channel }: SessionsForAccount,
): Promise<void> {
  await sql`
    select pg_notify(${channel}, encode(token_hash, 'hex') || ' moved')
    from sessions where user_id = ${userId} and coalesce(account_id, user_id) = ${accountId}
  `.execute(db);
}

/** Announces on `channel`, for every session of a person or for their account, that these are frozen. */
export async function announceFrozenSessions(db: Db, userId: number, channel: string): Promise<void> {
  await sql`
    select pg_notify(${channel}, encode(token_hash, 'hex') || ' frozen')
    from sessions where user_id = ${userId} or account_id = ${userId}
  `.execute(db);
}

/** Ends every session that is expired or made no call after `idleCutoff`, and announces it on `channel` at commit. */
export async function deleteEndedSessions(
  db: Db,
  now: Date,
  idleCutoff: Date,
  channel: string,
): Promise<void> {
  // A browser keeps receiving push messages after its session expires, until the account's sessions are explicitly
  // ended. So the subscriptions of expired sessions are detached first, because deleting a session deletes the
  // subscriptions that belong to it.
  await sql`
    update push_subscriptions device set session_hash = null from sessions
    where sessions.token_hash = device.session_hash
      and (sessions.expires_at <= ${now} or sessions.last_seen_at <= ${idleCutoff})
  `.execute(db);
  await sql`
    with ended as (
      delete from sessions where expires_at <= ${now} or last_seen_at <= ${idleCutoff} returning token_hash)
    select pg_notify(${channel}, encode(token_hash, 'hex')) from ended
  `.execute(db);
}

/** Stores a ticket, which opens the live channel (a WebSocket) once in place of the session token. */
export async function insertTicket(
  db: Db,
  ticket: { ticket_hash: Buffer; session_hash: Buffer; expires_at: Date },
): Promise<void> {
  await db.insertInto('live_tickets').values(ticket).execute();
}

export function hasTicket(db: Db, ticketHash: Buffer): Promise<boolean> {
  return ticketLookUps(db, ticketHash);
}

/** Deletes a ticket and returns it, so that only one of two concurrent uses succeeds. */
export function takeTicket(db: Db, ticketHash: Buffer) {
  return db
    .deleteFrom('live_tickets')
    .where('ticket_hash', '=', ticketHash)
    .returning(['session_hash', 'expires_at'])
    .executeTakeFirst();
}

export async function deleteTickets(db: Db, expiredBy: Date): Promise<void> {
  await db.deleteFrom('live_tickets').where('expires_at', '<=', expiredBy).execute();
}

/** Ends a session of an account and announces it on `channel` at commit. Returns whether the session existed. */
export async function deleteSessionById(
  db: Db,
  userId: number,
  id: string,
  channel: string,
): Promise<boolean> {
  const { rows } = await sql`
    with ended as (delete from sessions where user_id = ${userId} and id = ${id} returning token_hash)
    select pg_notify(${channel}, encode(token_hash, 'hex')) from ended
  `.execute(db);
  return rows.length > 0;
}

/**
 * Looks up concurrent requests' sessions in batches, one batch at a time, so that a flood of guessed tokens occupies
 * only one connection.
 */
const sessionLookUps = batchPerConnection<Buffer, FoundSession | undefined>({
  maxBatchSize: 200,
  maxConcurrentRuns: 1,
  work: findSessions,
});

async function findSessions(
  db: Db,
  tokenHashes: readonly Buffer[],
): Promise<readonly (FoundSession | undefined)[]> {
  const { rows } = await sql<FoundSession & { token_hash: Buffer }>`
    select token_hash, sessions.user_id, account.id as account_id, sessions.created_at, last_seen_at,
           sessions.expires_at, password_at,
           factor_at, person.role, account.approved, person.frozen_at, account.frozen_at is not null as account_frozen,
           members.role as member_role, members.holder, is_support, support.expires_at as support_until
    from sessions
      join users person on person.id = sessions.user_id
      join users account on account.id = coalesce(sessions.account_id, sessions.user_id)
      left join members on members.merchant_id = account.id and members.user_id = person.id
      left join support_access support on is_support and support.merchant_id = account.id
    where token_hash = any(${[...tokenHashes]}::bytea[])
  `.execute(db);
  // A Map compares Buffers by identity, so the hashes go into it as text, one character per byte.
  const sessionByHash = new Map(rows.map((row) => [row.token_hash.toString('latin1'), row]));
  return tokenHashes.map((hash) => sessionByHash.get(hash.toString('latin1')));
}

/**
 * Looks up concurrent requests' tickets in batches, one batch at a time, so that a flood of guessed tickets occupies
 * only one connection.
 */
const ticketLookUps = batchPerConnection<Buffer, boolean>({
  maxBatchSize: 200,
  maxConcurrentRuns: 1,
  work: findTickets,
});

async function findTickets(db: Db, ticketHashes: readonly Buffer[]): Promise<readonly boolean[]> {
  const { rows } = await sql<{ ticket_hash: Buffer }>`
    select ticket_hash from live_tickets where ticket_hash = any(${[...ticketHashes]}::bytea[])
  `.execute(db);
  return ticketHashes.map((hash) => rows.some((row) => row.ticket_hash.equals(hash)));
}
