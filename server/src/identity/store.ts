import { sql } from 'kysely';
import { batchPerConnection } from '../db/batch-per-connection.ts';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';

/** A limit on attempts in a window that starts with the first one, counted across all processes. */
export type AttemptLimit = {
  readonly key: string;
  readonly limit: number;
  readonly windowSeconds: number;
  /** The outcomes that use it up; wrong guesses by default. */
  readonly counts?: 'wrong guesses' | 'successes';
};

// Accounts

export type NewUserRow = {
  username: string;
  name: string;
  email: string;
  document: string;
  doc_type: string;
  role: string;
  approved: boolean;
  api_active: boolean;
  in_rate: number;
  fix_out_cents: number;
  password_hash: string;
  search_text: string;
  created_at: Date;
  updated_at: Date;
};

export async function insertUser(db: Db, user: NewUserRow): Promise<number> {
  const { id } = await db.insertInto('users').values(user).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** Accounts with their available balance and masked API key. */
export function selectAccounts(db: Db) {
  return db
    .selectFrom('users')
    .innerJoin('ledger_balances as money', 'money.merchant_id', 'users.id')
    .leftJoin('api_keys', 'api_keys.merchant_id', 'users.id')
    .select([
      'users.id',
      'users.name',
      'users.username',
      'users.email',
      'users.avatar',
      'users.approved',
      'users.role',
      'users.api_active',
      'users.document',
      'users.doc_type',
      'users.in_rate',
      'users.out_rate',
      'users.fix_in_cents',
      'users.fix_out_cents',
      'users.crypto_rate',
      'users.reserve_enabled',
      'users.reserve_rate',
      'users.reserve_days',
      'users.version',
      'users.created_at',
      'users.updated_at',
      'money.available_cents',
      'api_keys.masked_key',
      // Push subscriptions, newest first.
      sql<string[]>`array(
        select device.id from push_subscriptions device
        where device.merchant_id = users.id order by device.created_at desc, device.id desc)`.as('push_ids'),
    ]);
}

export type AccountRow = Awaited<ReturnType<ReturnType<typeof selectAccounts>['execute']>>[number];

export function findAccount(db: Db, id: number): Promise<AccountRow | undefined> {
  return selectAccounts(db).where('users.id', '=', id).executeTakeFirst();
}

/** Finds an account by username or e-mail. At most one matches, since only e-mails contain an @ (users_names_apart). */
export function findByLogin(
  db: Db,
  login: string,
): Promise<{ id: number; password_hash: string } | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'password_hash'])
    .where('id', '>', 0)
    .where((or) => or.or([or(sql`lower(username)`, '=', login), or(sql`lower(email)`, '=', login)]))
    .executeTakeFirst();
}

export async function findPasswordHash(db: Db, userId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', userId)
    .executeTakeFirst();
  return row?.password_hash;
}

export async function updatePasswordHash(
  db: Db,
  userId: number,
  passwordHash: string,
  now: Date,
): Promise<void> {
  await db
    .updateTable('users')
    .set({ password_hash: passwordHash, password_changed_at: now, updated_at: now })
    .where('id', '=', userId)
    .execute();
}

/** The times of the last password change and of the closing request. */
export function findAccountDates(db: Db, userId: number) {
  return db
    .selectFrom('users')
    .select(['password_changed_at', 'closing_requested_at'])
    .where('id', '=', userId)
    .executeTakeFirst();
}

// Sessions

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

export async function insertSession(db: Db, session: SessionRow): Promise<void> {
  await db.insertInto('sessions').values(session).execute();
}

/**
 * A session, which may be expired or idle, with its account's status; the session of a frozen account grants no access.
 */
type FoundSession = {
  user_id: number;
  created_at: Date;
  last_seen_at: Date;
  expires_at: Date;
  password_at: Date;
  factor_at: Date | null;
  role: string;
  approved: boolean;
  frozen_at: Date | null;
};

/** Batched, so that guessing tokens never takes more than one connection. */
const sessionLookUps = batchPerConnection<Buffer, FoundSession | undefined>({
  most: 200,
  atOnce: 1,
  work: findSessions,
});

/** Finds a session, expired or not. */
export function findSession(db: Db, tokenHash: Buffer): Promise<FoundSession | undefined> {
  return sessionLookUps(db, tokenHash);
}

async function findSessions(
  db: Db,
  tokenHashes: readonly Buffer[],
): Promise<readonly (FoundSession | undefined)[]> {
  const { rows } = await sql<FoundSession & { token_hash: Buffer }>`
    select token_hash, user_id, sessions.created_at, last_seen_at, expires_at, password_at, factor_at, role, approved, frozen_at
    from sessions join users on users.id = sessions.user_id
    where token_hash = any(${[...tokenHashes]}::bytea[])
  `.execute(db);
  const found = new Map(rows.map((row) => [row.token_hash.toString('latin1'), row]));
  return tokenHashes.map((hash) => found.get(hash.toString('latin1')));
}

/** Returns the sessions that are live and whose account is not frozen. */
export async function selectLiveSessions(
  db: Db,
  tokenHashes: readonly Buffer[],
  now: Date,
  idleSince: Date,
): Promise<Buffer[]> {
  const { rows } = await sql<{ token_hash: Buffer }>`
    select token_hash from sessions join users on users.id = sessions.user_id
    where token_hash = any(${[...tokenHashes]}::bytea[]) and expires_at > ${now} and last_seen_at > ${idleSince}
      and users.frozen_at is null
  `.execute(db);
  return rows.map((row) => row.token_hash);
}

/** Records a call. Of concurrent calls only one writes. */
export async function touchSession(db: Db, tokenHash: Buffer, now: Date, seenBefore: Date): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ last_seen_at: now })
    .where('token_hash', '=', tokenHash)
    .where('last_seen_at', '<=', seenBefore)
    .execute();
}

export async function notePassword(db: Db, tokenHash: Buffer, now: Date): Promise<void> {
  await db.updateTable('sessions').set({ password_at: now }).where('token_hash', '=', tokenHash).execute();
}

/** Ends a session and announces it on `channel` at commit. */
export async function deleteSession(db: Db, tokenHash: Buffer, channel: string): Promise<void> {
  await sql`
    with ended as (delete from sessions where token_hash = ${tokenHash} returning token_hash)
    select pg_notify(${channel}, encode(token_hash, 'hex')) from ended
  `.execute(db);
}

/**
 * Ends all sessions of an account except `kept`, announces them on `channel` at commit, and removes push subscriptions
 * whose session has expired. Returns the number of sessions ended.
 */
export async function deleteSessionsOf(
  db: Db,
  userId: number,
  { channel, kept }: { readonly channel: string; readonly kept: Buffer | null },
): Promise<number> {
  const { rows } = await sql`
    with ended as (
      delete from sessions where user_id = ${userId} and token_hash is distinct from ${kept}::bytea
      returning token_hash),
    quiet as (delete from push_subscriptions where merchant_id = ${userId} and session_hash is null)
    select pg_notify(${channel}, encode(token_hash, 'hex')) from ended
  `.execute(db);
  return rows.length;
}

/** Announces on `channel`, for every session of an account, that the account is frozen. */
export async function announceFrozenSessions(db: Db, userId: number, channel: string): Promise<void> {
  await sql`
    select pg_notify(${channel}, encode(token_hash, 'hex') || ' frozen') from sessions where user_id = ${userId}
  `.execute(db);
}

/** Ends every session that is expired or not seen since `idleSince`, and announces it on `channel` at commit. */
export async function deleteEndedSessions(
  db: Db,
  now: Date,
  idleSince: Date,
  channel: string,
): Promise<void> {
  // Push subscriptions outlive an expired session; only explicitly ending a session removes them.
  await sql`
    update push_subscriptions device set session_hash = null from sessions
    where sessions.token_hash = device.session_hash
      and (sessions.expires_at <= ${now} or sessions.last_seen_at <= ${idleSince})
  `.execute(db);
  await sql`
    with ended as (
      delete from sessions where expires_at <= ${now} or last_seen_at <= ${idleSince} returning token_hash)
    select pg_notify(${channel}, encode(token_hash, 'hex')) from ended
  `.execute(db);
}

// Live channel tickets

export async function insertTicket(
  db: Db,
  ticket: { ticket_hash: Buffer; session_hash: Buffer; expires_at: Date },
): Promise<void> {
  await db.insertInto('live_tickets').values(ticket).execute();
}

const ticketLookUps = batchPerConnection<Buffer, boolean>({ most: 200, atOnce: 1, work: findTickets });

export function hasTicket(db: Db, ticketHash: Buffer): Promise<boolean> {
  return ticketLookUps(db, ticketHash);
}

async function findTickets(db: Db, ticketHashes: readonly Buffer[]): Promise<readonly boolean[]> {
  const { rows } = await sql<{ ticket_hash: Buffer }>`
    select ticket_hash from live_tickets where ticket_hash = any(${[...ticketHashes]}::bytea[])
  `.execute(db);
  return ticketHashes.map((hash) => rows.some((row) => row.ticket_hash.equals(hash)));
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

// Known browsers

export async function isKnownDevice(
  db: Db,
  userId: number | undefined,
  deviceHash: Buffer,
): Promise<boolean> {
  // Queried for unknown accounts too, so that response time does not reveal that they are unknown.
  const { rows } = await sql`
    select from known_devices where user_id = ${userId ?? null}::bigint and device_hash = ${deviceHash}
  `.execute(db);
  return rows.length > 0;
}

/** True if this browser is unknown to an account that was signed in to before or is no longer new. */
export async function isStrangeDevice(
  db: Db,
  { userId, deviceHash, newSince }: { userId: number; deviceHash: Buffer | null; newSince: Date },
): Promise<boolean> {
  const { rows } = await sql`
    select where not exists (select from known_devices where user_id = ${userId} and device_hash = ${deviceHash})
      and (exists (select from known_devices where user_id = ${userId})
        or exists (select from sessions where user_id = ${userId})
        or exists (select from users where id = ${userId} and created_at < ${newSince}))
  `.execute(db);
  return rows.length > 0;
}

export async function rememberDevice(db: Db, userId: number, deviceHash: Buffer, now: Date): Promise<void> {
  await db
    .insertInto('known_devices')
    .values({ user_id: userId, device_hash: deviceHash, last_used_at: now })
    .onConflict((conflict) => conflict.columns(['user_id', 'device_hash']).doUpdateSet({ last_used_at: now }))
    .execute();
}

/** Deletes all but an account's newest devices: a program that keeps no cookies looks like a new browser every time. */
export async function forgetOldestDevices(db: Db, userId: number, kept: number): Promise<void> {
  const newest = db
    .selectFrom('known_devices')
    .select('device_hash')
    .where('user_id', '=', userId)
    .orderBy('last_used_at', 'desc')
    .limit(kept);
  await db
    .deleteFrom('known_devices')
    .where('user_id', '=', userId)
    .where('device_hash', 'not in', newest)
    .execute();
}

export async function forgetDevicesOf({ db }: Tx, userId: number): Promise<void> {
  await db.deleteFrom('known_devices').where('user_id', '=', userId).execute();
}

export async function pruneKnownDevices(db: Db, unusedSince: Date): Promise<void> {
  await db.deleteFrom('known_devices').where('last_used_at', '<', unusedSince).execute();
}

// Attempts

/** Counts an attempt in the key's current window, or starts a new window if that one has ended. */
export async function countAttempt(
  db: Db,
  { key, windowSeconds }: AttemptLimit,
  now: Date,
): Promise<{ attempts: number; endsAt: Date }> {
  const endsAt = new Date(now.getTime() + windowSeconds * 1000);
  const { rows } = await sql<{ attempts: number; endsAt: Date }>`
    insert into throttles as known (key, window_ends_at, attempts)
    values (${key}, ${endsAt}, 1)
    on conflict (key) do update set
      attempts = case when known.window_ends_at > ${now} then known.attempts + 1 else 1 end,
      window_ends_at = case when known.window_ends_at > ${now} then known.window_ends_at else ${endsAt} end
    returning attempts, window_ends_at as "endsAt"
  `.execute(db);
  return rows[0] ?? { attempts: 1, endsAt };
}

export async function uncountAttempts(db: Db, keys: readonly string[]): Promise<void> {
  await sql`
    update throttles set attempts = attempts - 1 where key = any(${keys}::text[]) and attempts > 0
  `.execute(db);
}

export async function readAttempts(db: Db, key: string, now: Date): Promise<number> {
  const row = await db
    .selectFrom('throttles')
    .select('attempts')
    .where('key', '=', key)
    .where('window_ends_at', '>', now)
    .executeTakeFirst();
  return row?.attempts ?? 0;
}

export async function deleteThrottles(db: Db, endedBy: Date): Promise<void> {
  await db.deleteFrom('throttles').where('window_ends_at', '<=', endedBy).execute();
}
