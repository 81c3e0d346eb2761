import { sql } from 'kysely';
import { batchPerConnection } from '../db/batch-per-connection.ts';
import type { Db } from '../db/pool.ts';

export type ReadableKeyRow = {
  merchant_id: number;
  key_hash: Buffer;
  sealed_key: Buffer;
  masked_key: string;
  created_at: Date;
  /** The person who made the key. */
  created_by: number;
};

/** Stores an account's readable key in place of an earlier one. */
export async function upsertReadableKey(db: Db, key: ReadableKeyRow): Promise<void> {
  await db
    .insertInto('api_keys')
    .values({ ...key, last_used_at: null })
    .onConflict((conflict) => conflict.column('merchant_id').doUpdateSet({ ...key, last_used_at: null }))
    .execute();
}

export async function deleteReadableKey(db: Db, merchantId: number): Promise<void> {
  await db.deleteFrom('api_keys').where('merchant_id', '=', merchantId).execute();
}

/**
 * Returns an account's approval and API status with its readable key; the columns of the key are null if there is none.
 */
export function findReadableKey(db: Db, merchantId: number) {
  return db
    .selectFrom('users')
    .leftJoin('api_keys', 'api_keys.merchant_id', 'users.id')
    .select(['users.approved', 'users.api_active', 'api_keys.sealed_key', 'api_keys.masked_key'])
    .select('api_keys.created_by')
    .where('users.id', '=', merchantId)
    .executeTakeFirstOrThrow();
}

/**
 * An API key with its account. Only scoped keys have `key_id`, `scopes`, `allowed_addresses` and `expires_at`, and only
 * they can be replaced. For the account's readable key, which its owner can view again, these four columns are null and
 * `replaced` is false.
 */
export type KeyHolder = {
  id: number;
  role: string;
  approved: boolean;
  frozen: boolean;
  last_used_at: Date | null;
  key_id: string | null;
  scopes: string[] | null;
  allowed_addresses: string[] | null;
  expires_at: Date | null;
  replaced: boolean;
};

/** Finds the keys of concurrent calls in one statement. */
const findKeyHolderBatched = batchPerConnection<Buffer, KeyHolder | undefined>({
  maxBatchSize: 200,
  maxConcurrentRuns: 1,
  work: findKeyHolders,
});

export function findKeyHolder(db: Db, keyHash: Buffer): Promise<KeyHolder | undefined> {
  return findKeyHolderBatched(db, keyHash);
}

async function findKeyHolders(
  db: Db,
  keyHashes: readonly Buffer[],
): Promise<readonly (KeyHolder | undefined)[]> {
  const hashes = [...keyHashes];
  const { rows } = await sql<KeyHolder & { key_hash: Buffer }>`
    select key_hash, users.id, role, approved, frozen_at is not null as frozen, last_used_at,
           key_id, scopes, allowed_addresses, expires_at, successor is not null as replaced
    from (
      select merchant_id, key_hash, last_used_at, null::uuid as key_id, null::text[] as scopes,
             null::text[] as allowed_addresses, null::timestamptz as expires_at, null::uuid as successor
      from api_keys where key_hash = any(${hashes}::bytea[])
      union all
      select merchant_id, key_hash, last_used_at, id, scopes, allowed_addresses, expires_at, successor
      from scoped_keys where key_hash = any(${hashes}::bytea[]) and revoked_at is null
    ) keys join users on users.id = merchant_id
  `.execute(db);
  // A Map compares Buffers by identity, so the hashes go into it as text, one character per byte.
  const holdersByHash = new Map(rows.map((row) => [row.key_hash.toString('latin1'), row]));
  return keyHashes.map((hash) => holdersByHash.get(hash.toString('latin1')));
}

/**
 * Records a use of a key, unless a use after `recordCutoff` is recorded already, so that only one of several concurrent
 * uses writes.
 */
export async function touchReadableKey(
  db: Db,
  keyHash: Buffer,
  now: Date,
  recordCutoff: Date,
): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ last_used_at: now })
    .where('key_hash', '=', keyHash)
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<=', recordCutoff)]))
    .execute();
}
