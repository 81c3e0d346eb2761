import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';

export type Account = {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly email: string;
  readonly document: string;
  readonly role: string;
  readonly frozen_at: Date | null;
  readonly closing_requested_at: Date | null;
};

/** Selects an account, but never account 0, which is the platform. */
function selectAccount(db: Db, id: number) {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'name', 'email', 'document', 'role', 'frozen_at', 'closing_requested_at'])
    .where('id', '=', id)
    .where('id', '>', 0);
}

export function findAccountById(db: Db, id: number): Promise<Account | undefined> {
  return selectAccount(db, id).executeTakeFirst();
}

/**
 * Locks an account's row until commit, so that changes to its credentials run one after another. Must be called before
 * any of its sessions is locked.
 */
export function lockAccount({ db }: Tx, id: number): Promise<Account | undefined> {
  return selectAccount(db, id).forNoKeyUpdate().executeTakeFirst();
}

/** Returns whether an account has this e-mail, which must be in lower case. */
export async function isEmailTaken(db: Db, email: string): Promise<boolean> {
  const owner = await db
    .selectFrom('users')
    .select('id')
    .where(sql`lower(email)`, '=', email)
    .executeTakeFirst();
  return owner !== undefined;
}

// Sessions

export type ListedSession = {
  readonly id: string;
  readonly token_hash: Buffer;
  readonly created_at: Date;
  readonly last_seen_at: Date;
  readonly address: string;
  readonly user_agent: string;
  readonly factor_at: Date | null;
};

/** Returns the most recently used sessions that have not expired. */
export function listUnexpiredSessions(
  db: Db,
  userId: number,
  now: Date,
  limit: number,
): Promise<ListedSession[]> {
  return db
    .selectFrom('sessions')
    .select(['id', 'token_hash', 'created_at', 'last_seen_at', 'address', 'user_agent', 'factor_at'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Returns whether a session still exists and its account is not frozen. */
export async function isSessionAlive({ db }: Tx, tokenHash: Buffer): Promise<boolean> {
  const session = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select('sessions.id')
    .where('token_hash', '=', tokenHash)
    .where('users.frozen_at', 'is', null)
    .executeTakeFirst();
  return session !== undefined;
}

// Password recovery

/** Queues a recovery request, for which a link is mailed later. */
export async function insertRecovery(db: Db, id: string, email: string, now: Date): Promise<void> {
  await db.insertInto('password_recoveries').values({ id, email, created_at: now }).execute();
}

/** Removes the oldest recovery requests from the queue, and returns their e-mails. */
export async function dequeueRecoveryRequests({ db }: Tx, limit: number): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    delete from password_recoveries where id in (
      select id from password_recoveries order by created_at limit ${limit} for update skip locked)
    returning email
  `.execute(db);
  return rows.map(({ email }) => email);
}

/** Returns the ids of the accounts that have one of these e-mails and are not frozen. */
export async function findRecoverableAccountIds({ db }: Tx, emails: readonly string[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from users where lower(email) = any(${[...emails]}::text[]) and id > 0 and frozen_at is null
  `.execute(db);
  return rows.map(({ id }) => id);
}

/** Lists the accounts of which a person is a member, in the order in which accounts are locked. */
export function selectMemberships(
  { db }: Tx,
  userId: number,
): Promise<{ merchant_id: number; role: string }[]> {
  return db
    .selectFrom('members')
    .select(['merchant_id', 'role'])
    .where('user_id', '=', userId)
    .orderBy('merchant_id')
    .execute();
}

/** The name and e-mail of a person whose access may be given back. */
export function findAccountToRecover(
  db: Db,
  userId: number,
): Promise<{ name: string; email: string } | undefined> {
  return db.selectFrom('users').select(['name', 'email']).where('id', '=', userId).executeTakeFirst();
}
