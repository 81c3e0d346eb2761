import { sql, type Updateable } from 'kysely';
import { textArray } from '../db/arrays.ts';
import type { Db } from '../db/pool.ts';
import type { DB } from '../db/schema.ts';
import { isSharded } from '../db/sharding.ts';
import type { Tx } from '../db/transaction.ts';
import { HOUSE_CONNECTION } from '../psp/index.ts';

/**
 * A limit on the attempts counted under one key by all processes together. The window of time starts with the first
 * attempt.
 */
export type AttemptLimit = {
  readonly key: string;
  readonly limit: number;
  readonly windowSeconds: number;
  /** The outcomes that count towards the limit; wrong guesses by default. */
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

type MoneyRow = { merchant_id: number; available_cents: number };

/**
 * Selects accounts with their available balance and masked API key. The caller narrows the query to the accounts it
 * needs.
 */
export function selectAccounts(db: Db) {
  // In a cluster the balances are on other servers than the accounts; `withBalances` reads them afterwards.
  const money = isSharded()
    ? sql<MoneyRow>`(select id as merchant_id, 0::bigint as available_cents from users)`
    : sql<MoneyRow>`(select merchant_id, available_cents from ledger_balances where connection_id = ${HOUSE_CONNECTION})`;
  return db
    .selectFrom('users')
    .innerJoin(money.as('money'), 'money.merchant_id', 'users.id')
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
      'users.merchant_kind',
      'users.version',
      'users.created_at',
      'users.updated_at',
      'money.available_cents',
      'api_keys.masked_key',
      // The ids of push subscriptions, newest first.
      sql<string[]>`array(
        select device.id from push_subscriptions device
        where device.merchant_id = users.id order by device.created_at desc, device.id desc)`.as('push_ids'),
    ]);
}

export type AccountRow = Awaited<ReturnType<ReturnType<typeof selectAccounts>['execute']>>[number];

/** Completes rows of `selectAccounts`. */
export async function withBalances<Row extends { readonly id: number; readonly available_cents: number }>(
  db: Db,
  rows: readonly Row[],
): Promise<Row[]> {
  if (!isSharded() || rows.length === 0) return [...rows];
  const balances = await db
    .selectFrom('ledger_balances')
    .select(['merchant_id', 'available_cents'])
    .where('connection_id', '=', HOUSE_CONNECTION)
    .where(
      'merchant_id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute();
  const centsById = new Map(balances.map((row) => [row.merchant_id, row.available_cents]));
  return rows.map((row) => ({ ...row, available_cents: centsById.get(row.id) ?? 0 }));
}

export async function findAccount(db: Db, id: number): Promise<AccountRow | undefined> {
  const [row] = await withBalances(db, await selectAccounts(db).where('users.id', '=', id).execute());
  return row;
}

/**
 * Counts the requests of an account that wait for a person's approval, which nobody gives without a factor. Undefined for an account that never had an
 * approval policy and in which nobody else could approve, and for members who cannot while there is no policy.
 */
export async function countWaitingApprovals(
  db: Db,
  { accountId, userId, mayApprove }: { accountId: number; userId: number; mayApprove: boolean },
  now: Date,
): Promise<number | undefined> {
  const { rows } = await sql<{ isOffered: boolean; waiting: number }>`
    select exists (select from approval_history where merchant_id = ${accountId})
        or (${mayApprove}::boolean
          and exists (select from members where merchant_id = ${accountId} and user_id <> ${userId})) as "isOffered",
      (select count(*)::int from approval_requests r
       where ${mayApprove}::boolean
         and (exists (select from passkeys where user_id = ${userId})
           or exists (select from totp_factors where user_id = ${userId} and confirmed_at is not null))
         and r.merchant_id = ${accountId} and r.status = 'open'
         and r.expires_at > ${now} and r.made_by is distinct from ${userId}
         and not exists (select from approvals a where a.merchant_id = ${accountId} and a.request_id = r.id
                         and a.user_id = ${userId})) as waiting
  `.execute(db);
  return rows[0]?.isOffered ? rows[0].waiting : undefined;
}

/** Whether a person is a member of an account beside their own. */
export async function isMemberElsewhere(db: Db, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('members')
    .select('merchant_id')
    .where('user_id', '=', userId)
    .where('merchant_id', '!=', userId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Finds an account by username or e-mail, which must be in lower case. At most one account matches, because only
 * e-mails contain an @ (constraint users_names_apart).
 */
export function findByLogin(
  db: Db,
  login: string,
): Promise<{ id: number; password_hash: string } | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'password_hash'])
    .where('id', '>', 0)
    .where((eb) => eb.or([eb(sql`lower(username)`, '=', login), eb(sql`lower(email)`, '=', login)]))
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

/** Returns the times of the last password change and of the owner's request to close the account. */
export function findAccountDates(db: Db, userId: number) {
  return db
    .selectFrom('users')
    .select(['password_changed_at', 'closing_requested_at'])
    .where('id', '=', userId)
    .executeTakeFirst();
}

// Known browsers

export async function isKnownDevice(
  db: Db,
  userId: number | undefined,
  deviceHash: Buffer,
): Promise<boolean> {
  // The query is also run for an unknown account, so that the response time does not reveal whether an account exists.
  const { rows } = await sql`
    select from known_devices where user_id = ${userId ?? null}::bigint and device_hash = ${deviceHash}
  `.execute(db);
  return rows.length > 0;
}

/**
 * Returns whether this browser is unknown to the account. Returns false for the first sign-in to a new account, because
 * it is assumed to be the owner's.
 */
export async function isNewDevice(
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

/**
 * Deletes all but an account's most recently used browsers, because a program that keeps no cookies adds a new one at
 * every sign-in.
 */
export async function forgetOldestDevices(db: Db, userId: number, keptCount: number): Promise<void> {
  const newest = db
    .selectFrom('known_devices')
    .select('device_hash')
    .where('user_id', '=', userId)
    .orderBy('last_used_at', 'desc')
    .limit(keptCount);
  await db
    .deleteFrom('known_devices')
    .where('user_id', '=', userId)
    .where('device_hash', 'not in', newest)
    .execute();
}

export async function forgetDevicesOf({ db }: Tx, userId: number): Promise<void> {
  await db.deleteFrom('known_devices').where('user_id', '=', userId).execute();
}

export async function forgetUnusedDevices(db: Db, unusedSince: Date): Promise<void> {
  await db.deleteFrom('known_devices').where('last_used_at', '<', unusedSince).execute();
}

// Attempts

export type CountedAttempts = { readonly key: string; readonly attempts: number; readonly endsAt: Date };

/** Counts an attempt under each key: in the key's current window, or in a new window if the last one has ended. */
export async function countAttempts(
  db: Db | Tx['db'],
  limits: readonly Pick<AttemptLimit, 'key' | 'windowSeconds'>[],
  now: Date,
): Promise<CountedAttempts[]> {
  // The rows are locked in the order of their keys, so that concurrent attempts with some keys in common do not
  // deadlock.
  const { rows } = await sql<CountedAttempts>`
    insert into throttles as known (key, window_ends_at, attempts)
    select key, ends_at, 1
    from unnest(
      ${textArray(limits.map(({ key }) => key))}::text[],
      ${limits.map(({ windowSeconds }) => new Date(now.getTime() + windowSeconds * 1000))}::timestamptz[]
    ) asked (key, ends_at)
    order by key
    on conflict (key) do update set
      attempts = case when known.window_ends_at > ${now} then known.attempts + 1 else 1 end,
      window_ends_at = case when known.window_ends_at > ${now} then known.window_ends_at else excluded.window_ends_at end
    returning key, attempts, window_ends_at as "endsAt"
  `.execute(db);
  return rows;
}

/** Takes back one counted attempt under each key. Locks the rows in the same order as `countAttempts`. */
export async function decrementAttempts(db: Db, keys: readonly string[]): Promise<void> {
  await sql`
    update throttles set attempts = attempts - 1
    from (select key from throttles where key = any(${keys}::text[]) order by key for update) counted
    where throttles.key = counted.key and attempts > 0
  `.execute(db);
}

/** The attempts counted under these keys in windows that have not ended yet. */
export async function findAttempts(db: Db, keys: readonly string[], now: Date): Promise<CountedAttempts[]> {
  return db
    .selectFrom('throttles')
    .select(['key', 'attempts', 'window_ends_at as endsAt'])
    .where('key', 'in', [...keys])
    .where('window_ends_at', '>', now)
    .execute();
}

export async function deleteAttemptCounts(db: Db, endedBy: Date): Promise<void> {
  await db.deleteFrom('throttles').where('window_ends_at', '<=', endedBy).execute();
}

// Changes of accounts

/** The columns of an account that `changeUser` may change. The password and the picture have functions of their own. */
export type AccountColumns = Partial<
  Pick<
    Updateable<DB['users']>,
    | 'name'
    | 'username'
    | 'email'
    | 'document'
    | 'doc_type'
    | 'role'
    | 'merchant_kind'
    | 'admin_root'
    | 'approved'
    | 'api_active'
    | 'api_held'
    | 'in_rate'
    | 'fix_in_cents'
    | 'out_rate'
    | 'fix_out_cents'
    | 'reserve_rate'
    | 'reserve_days'
    | 'search_text'
    | 'frozen_at'
    | 'frozen_because'
    | 'closing_requested_at'
    | 'closing_reason'
    | 'identity_review_since'
  >
>;

/**
 * Changes an account and increments its version, so that a form that an administrator opened before the change is stale
 * and its submission refused.
 */
export async function changeUser({ db, now }: Tx, id: number, change: AccountColumns): Promise<void> {
  await db
    .updateTable('users')
    .set((row) => ({ ...change, version: row('version', '+', 1), updated_at: now }))
    .where('id', '=', id)
    .execute();
}

/**
 * Stores the path of an account's picture. The update locks the row until commit, so that of concurrent uploads the
 * last one determines both the path and the picture.
 */
export async function updateAvatarPath(tx: Tx, id: number, avatar: string): Promise<void> {
  await tx.db.updateTable('users').set({ avatar, updated_at: tx.now }).where('id', '=', id).execute();
}
