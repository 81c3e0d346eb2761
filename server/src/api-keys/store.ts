import type { Db } from '../db/pool.ts';

export type ApiKeyRow = {
  merchant_id: number;
  key_hash: Buffer;
  sealed_key: Buffer;
  masked_key: string;
  created_at: Date;
};

/** One key per account: a new one takes the place of the old. */
export async function putApiKey(db: Db, key: ApiKeyRow): Promise<void> {
  await db
    .insertInto('api_keys')
    .values({ ...key, last_used_at: null })
    .onConflict((conflict) => conflict.column('merchant_id').doUpdateSet({ ...key, last_used_at: null }))
    .execute();
}

export async function deleteApiKey(db: Db, merchantId: number): Promise<void> {
  await db.deleteFrom('api_keys').where('merchant_id', '=', merchantId).execute();
}

/** An account's standing with its key; the key's columns are null while it has none. */
export function findKeyOf(db: Db, merchantId: number) {
  return db
    .selectFrom('users')
    .leftJoin('api_keys', 'api_keys.merchant_id', 'users.id')
    .select(['users.approved', 'users.api_active', 'api_keys.sealed_key', 'api_keys.masked_key'])
    .where('users.id', '=', merchantId)
    .executeTakeFirstOrThrow();
}

export function findKeyHolder(db: Db, keyHash: Buffer) {
  return db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.merchant_id')
    .select(['users.id', 'users.role', 'users.approved', 'api_keys.last_used_at'])
    .where('api_keys.key_hash', '=', keyHash)
    .executeTakeFirst();
}

/** Notes a use. Of many at once only one writes. */
export async function touchApiKey(db: Db, keyHash: Buffer, now: Date, usedBefore: Date): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ last_used_at: now })
    .where('key_hash', '=', keyHash)
    .where((or) => or.or([or('last_used_at', 'is', null), or('last_used_at', '<=', usedBefore)]))
    .execute();
}
