import { sql } from 'kysely';
import { numberArray, textArray } from '../db/arrays.ts';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';

/** The receiver whose webhooks a secret signs: one endpoint of a merchant, or all their callback addresses. */
export type SecretOwner = {
  readonly merchantId: number;
  /** The endpoint's id, or `ALL_CALLBACKS`. */
  readonly receiver: string;
};

/** Stands for all callback addresses of a merchant, which share one secret and one cursor. */
export const ALL_CALLBACKS = 'callbacks';

type SealedSecret = SecretOwner & {
  /** The secret, encrypted with the gateway's master key. */
  readonly sealed: Buffer;
  /** Null for the current secret. A rotated one signs beside it until then. */
  readonly expiresAt: Date | null;
};

/** Returns the valid secrets of these owners: of each the current one first, then rotated ones, newest first. */
export async function selectSecrets(
  db: Db | Tx['db'],
  owners: readonly SecretOwner[],
  now: Date,
): Promise<SealedSecret[]> {
  const { rows } = await sql<SealedSecret>`
    select merchant_id as "merchantId", receiver, sealed_secret as sealed, expires_at as "expiresAt"
    from unnest(${numberArray(owners.map(({ merchantId }) => merchantId))}::bigint[],
                ${textArray(owners.map(({ receiver }) => receiver))}::text[]) asked (merchant_id, receiver)
    join webhook_secrets using (merchant_id, receiver)
    where expires_at is null or expires_at > ${now}
    order by merchant_id, receiver, expires_at desc nulls first
  `.execute(db);
  return rows;
}

type NewSecret = SecretOwner & { readonly id: string; readonly sealed: Buffer };

/** Stores secrets. An owner that already has a current one, perhaps inserted concurrently, keeps it. */
export async function insertSecrets(
  db: Db | Tx['db'],
  secrets: readonly NewSecret[],
  now: Date,
): Promise<void> {
  await sql`
    insert into webhook_secrets (merchant_id, receiver, id, sealed_secret, created_at)
    select merchant_id, receiver, id, sealed, ${now}
    from unnest(
      ${secrets.map((secret) => secret.merchantId)}::bigint[], ${secrets.map((secret) => secret.receiver)}::text[],
      ${secrets.map((secret) => secret.id)}::uuid[], ${secrets.map((secret) => secret.sealed)}::bytea[]
    ) fresh (merchant_id, receiver, id, sealed)
    on conflict (merchant_id, receiver) where expires_at is null do nothing
  `.execute(db);
}

/** Locks an owner's secrets, so that concurrent rotations wait for each other. Returns false if there are none. */
export async function lockSecrets(tx: Tx, { merchantId, receiver }: SecretOwner): Promise<boolean> {
  const { rows } = await sql`
    select from webhook_secrets where merchant_id = ${merchantId} and receiver = ${receiver} order by id for update
  `.execute(tx.db);
  return rows.length > 0;
}

/**
 * Retires the current secret: it stays valid until `until`. At most `maxKept` retired secrets stay valid; older ones
 * expire now. Up to `maxKept` expired ones stay stored for a week, so that the webhook doctor, which explains why a
 * signature does not verify, recognises a receiver that still uses one.
 */
export async function retireSecrets(
  tx: Tx,
  { merchantId, receiver, until, maxKept }: SecretOwner & { readonly until: Date; readonly maxKept: number },
): Promise<void> {
  const ownerCondition = sql`merchant_id = ${merchantId} and receiver = ${receiver}`;
  const exceedsMaxKept = (which: 'valid' | 'expired') => sql`
    id in (
      select id from webhook_secrets
      where ${ownerCondition} and ${which === 'valid' ? sql`expires_at > ${tx.now}` : sql`expires_at <= ${tx.now}`}
      order by expires_at desc, created_at desc offset ${maxKept})`;
  await sql`update webhook_secrets set expires_at = ${until} where ${ownerCondition} and expires_at is null`.execute(
    tx.db,
  );
  await sql`
    update webhook_secrets set expires_at = ${tx.now} where ${ownerCondition} and expires_at > ${tx.now} and ${exceedsMaxKept('valid')}
  `.execute(tx.db);
  const weekAgo = new Date(tx.now.getTime() - 7 * 24 * 3_600_000);
  await sql`
    delete from webhook_secrets where ${ownerCondition} and (expires_at <= ${weekAgo} or ${exceedsMaxKept('expired')})
  `.execute(tx.db);
}

export async function deleteSecrets(tx: Tx, { merchantId, receiver }: SecretOwner): Promise<void> {
  await sql`delete from webhook_secrets where merchant_id = ${merchantId} and receiver = ${receiver}`.execute(
    tx.db,
  );
}

/** All stored secrets of a merchant, including expired ones. */
export async function selectEverySecret(db: Db, merchantId: number): Promise<SealedSecret[]> {
  const { rows } = await sql<SealedSecret>`
    select merchant_id as "merchantId", receiver, sealed_secret as sealed, expires_at as "expiresAt"
    from webhook_secrets where merchant_id = ${merchantId}
  `.execute(db);
  return rows;
}
