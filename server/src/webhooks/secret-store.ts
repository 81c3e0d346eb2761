import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';

export type SealedSecret = {
  readonly merchantId: number;
  readonly sealed: Buffer;
  readonly expiresAt: Date | null;
};

/** The valid secrets of these merchants: the current one first, then rotated ones, newest first. */
export async function selectSecrets(
  db: Db | Tx['db'],
  merchantIds: readonly number[],
  now: Date,
): Promise<SealedSecret[]> {
  const { rows } = await sql<{ merchant_id: number; sealed_secret: Buffer; expires_at: Date | null }>`
    select merchant_id, sealed_secret, expires_at from webhook_secrets
    where merchant_id = any(${[...merchantIds]}::bigint[]) and (expires_at is null or expires_at > ${now})
    order by merchant_id, expires_at desc nulls first
  `.execute(db);
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    sealed: row.sealed_secret,
    expiresAt: row.expires_at,
  }));
}

export type NewSecret = { readonly merchantId: number; readonly id: string; readonly sealed: Buffer };

/** Merchants that already have a current secret, inserted concurrently, keep it. */
export async function insertSecrets(
  db: Db | Tx['db'],
  secrets: readonly NewSecret[],
  now: Date,
): Promise<void> {
  await sql`
    insert into webhook_secrets (merchant_id, id, sealed_secret, created_at)
    select merchant_id, id, sealed, ${now}
    from unnest(
      ${secrets.map((secret) => secret.merchantId)}::bigint[], ${secrets.map((secret) => secret.id)}::uuid[],
      ${secrets.map((secret) => secret.sealed)}::bytea[]
    ) fresh (merchant_id, id, sealed)
    on conflict (merchant_id) where expires_at is null do nothing
  `.execute(db);
}

/** Serialises rotations of one merchant. */
export async function lockSecrets(tx: Tx, merchantId: number): Promise<void> {
  await sql`
    select from webhook_secrets where merchant_id = ${merchantId} order by id for update
  `.execute(tx.db);
}

/**
 * Keeps the current secret valid until `expiresAt`, along with at most `kept` rotated ones; older ones are deleted now.
 */
export async function retireSecrets(
  tx: Tx,
  merchantId: number,
  expiresAt: Date,
  kept: number,
): Promise<void> {
  await sql`
    update webhook_secrets set expires_at = ${expiresAt} where merchant_id = ${merchantId} and expires_at is null
  `.execute(tx.db);
  await sql`
    delete from webhook_secrets
    where merchant_id = ${merchantId} and (
      expires_at <= ${tx.now}
      or id in (
        select id from webhook_secrets where merchant_id = ${merchantId}
        order by expires_at desc, created_at desc offset ${kept}))
  `.execute(tx.db);
}
