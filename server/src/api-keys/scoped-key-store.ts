import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';
import type { NewScopedKey, ScopedKeyRow } from './scoped-key.ts';

const columns = [
  'id',
  'name',
  'masked_key',
  'scopes',
  'allowed_addresses',
  'created_at',
  'expires_at',
  'expiry_set_at',
  'last_used_at',
  'last_used_address',
  'successor',
  'created_by',
] as const;

/**
 * Lists an account's keys, newest first: those that work, and those that expired after `expiredSince` without having
 * been replaced.
 */
export function listKeys(
  db: Db,
  merchantId: number,
  { now, expiredSince }: { readonly now: Date; readonly expiredSince: Date },
): Promise<ScopedKeyRow[]> {
  return db
    .selectFrom('scoped_keys')
    .select(columns)
    .where('merchant_id', '=', merchantId)
    .where('revoked_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('expires_at', 'is', null),
        eb('expires_at', '>', now),
        eb.and([eb('expires_at', '>', expiredSince), eb('successor', 'is', null)]),
      ]),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

/** Locks an account's row until commit, so that changes to its keys run one after another. */
export function lockAccountOfKeys(
  { db }: Tx,
  merchantId: number,
): Promise<{ approved: boolean; frozen_at: Date | null }> {
  return db
    .selectFrom('users')
    .select(['approved', 'frozen_at'])
    .where('id', '=', merchantId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

export function findScopedKey({ db }: Tx, merchantId: number, id: string): Promise<ScopedKeyRow | undefined> {
  return db
    .selectFrom('scoped_keys')
    .select(columns)
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
}

export async function insertScopedKey({ db }: Tx, key: NewScopedKey): Promise<void> {
  const { scopes, allowed_addresses, ...rest } = key;
  await db
    .insertInto('scoped_keys')
    .values({ ...rest, scopes: [...scopes], allowed_addresses: [...allowed_addresses] })
    .execute();
}

export type KeyChange = {
  readonly name?: string;
  readonly scopes?: string[];
  readonly allowed_addresses?: string[];
  readonly expires_at?: Date | null;
  readonly expiry_set_at?: Date;
  /** Null clears the mark that the owner was warned, so that a warning of the new expiry is sent too. */
  readonly expiry_told_at?: null;
  readonly successor?: string;
};

export async function updateKey(
  { db }: Tx,
  merchantId: number,
  id: string,
  change: KeyChange,
): Promise<void> {
  await db
    .updateTable('scoped_keys')
    .set(change)
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .execute();
}

/** Counts an account's working keys: `replaced` are those that a rotation replaced, `inUse` are the others. */
export async function countKeys(
  { db, now }: Tx,
  merchantId: number,
): Promise<{ inUse: number; replaced: number }> {
  const { rows } = await sql<{ in_use: number; replaced: number }>`
    select (count(*) filter (where successor is null))::integer as in_use,
           (count(*) filter (where successor is not null))::integer as replaced
    from scoped_keys
    where merchant_id = ${merchantId} and revoked_at is null and (expires_at is null or expires_at > ${now})
  `.execute(db);
  const [{ in_use: inUse, replaced } = { in_use: 0, replaced: 0 }] = rows;
  return { inUse, replaced };
}

/** Revokes a key. Returns false if there is no such key or it was already revoked. */
export async function revokeKey(db: Db, merchantId: number, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('scoped_keys')
    .set({ revoked_at: now })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Revokes the keys that a person made for an account. Returns how many there were. */
export async function revokeKeysMadeBy(
  { db, now }: Tx,
  merchantId: number,
  makerId: number,
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('scoped_keys')
    .set({ revoked_at: now })
    .where('merchant_id', '=', merchantId)
    .where('created_by', '=', makerId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  const { numDeletedRows } = await db
    .deleteFrom('api_keys')
    .where('merchant_id', '=', merchantId)
    .where('created_by', '=', makerId)
    .executeTakeFirst();
  return Number(numUpdatedRows + numDeletedRows);
}

/**
 * Records a use of a key, unless a use after `recordCutoff` is recorded already, so that only one of several concurrent
 * uses writes.
 */
export async function touchScopedKey(
  db: Db,
  key: { readonly merchantId: number; readonly id: string },
  use: { readonly now: Date; readonly recordCutoff: Date; readonly address: string },
): Promise<void> {
  await db
    .updateTable('scoped_keys')
    .set({ last_used_at: use.now, last_used_address: use.address })
    .where('merchant_id', '=', key.merchantId)
    .where('id', '=', key.id)
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<=', use.recordCutoff)]))
    .execute();
}

export type ExpiringKey = {
  readonly merchant_id: number;
  readonly id: string;
  readonly name: string;
  readonly expires_at: Date;
};

/**
 * Takes up to `limit` keys that expire by `until` and whose owners were not warned yet, and marks them as warned.
 * Leaves out a key whose lifetime is at most `aheadMs`, because its owner would be warned as soon as the expiry is set.
 */
export async function takeExpiringKeys(
  { db, now }: Tx,
  { until, aheadMs, limit }: { readonly until: Date; readonly aheadMs: number; readonly limit: number },
): Promise<readonly ExpiringKey[]> {
  const { rows } = await sql<ExpiringKey>`
    update scoped_keys set expiry_told_at = ${now}
    from (
      select key.merchant_id, key.id from scoped_keys key
      where expires_at <= ${until} and expires_at > ${now} and revoked_at is null and successor is null
        and expiry_told_at is null and expires_at - coalesce(expiry_set_at, created_at) > ${`${aheadMs} milliseconds`}::interval
        and exists (select from users where users.id = key.merchant_id and frozen_at is null)
      order by expires_at limit ${limit} for update skip locked
    ) ending
    where scoped_keys.merchant_id = ending.merchant_id and scoped_keys.id = ending.id
    returning scoped_keys.merchant_id, scoped_keys.id, scoped_keys.name, scoped_keys.expires_at
  `.execute(db);
  return rows;
}
