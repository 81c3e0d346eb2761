import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';

type SealedSecret = {
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

type NewSecret = { readonly merchantId: number; readonly id: string; readonly sealed: Buffer };

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

type SealedEndpointSecret = {
  readonly merchantId: number;
  readonly endpointId: string;
  /** The endpoint's state. */
  readonly state: 'on' | 'off';
  readonly sealed: Buffer;
  /** Null: the current secret. */
  readonly expiresAt: Date | null;
};

/** The valid secrets of these endpoints: the current one first, then rotated ones, newest first. */
export async function selectEndpointSecrets(
  db: Db | Tx['db'],
  endpoints: readonly { readonly merchantId: number; readonly id: string }[],
  now: Date,
): Promise<SealedEndpointSecret[]> {
  const { rows } = await sql<SealedEndpointSecret>`
    select secret.merchant_id as "merchantId", endpoint_id as "endpointId", endpoint.state,
           sealed_secret as sealed, expires_at as "expiresAt"
    from unnest(${endpoints.map((one) => one.merchantId)}::bigint[], ${endpoints.map((one) => one.id)}::uuid[])
         asked (merchant_id, id)
    join webhook_endpoints endpoint on endpoint.merchant_id = asked.merchant_id and endpoint.id = asked.id
    join webhook_endpoint_secrets secret
      on secret.merchant_id = asked.merchant_id and secret.endpoint_id = asked.id
    where expires_at is null or expires_at > ${now}
    order by endpoint_id, expires_at desc nulls first
  `.execute(db);
  return rows;
}

type NewEndpointSecret = {
  readonly merchantId: number;
  readonly endpointId: string;
  readonly id: string;
  readonly sealed: Buffer;
};

export async function insertEndpointSecret(tx: Tx, secret: NewEndpointSecret): Promise<void> {
  await sql`
    insert into webhook_endpoint_secrets (merchant_id, endpoint_id, id, sealed_secret, created_at)
    values (${secret.merchantId}, ${secret.endpointId}, ${secret.id}, ${secret.sealed}, ${tx.now})
  `.execute(tx.db);
}

/** Serialises rotations of one endpoint. */
export async function lockEndpointSecrets(tx: Tx, merchantId: number, endpointId: string): Promise<void> {
  await sql`
    select from webhook_endpoints where merchant_id = ${merchantId} and id = ${endpointId} for no key update
  `.execute(tx.db);
}

type Retirement = {
  readonly merchantId: number;
  readonly endpointId: string;
  readonly until: Date;
  readonly kept: number;
};

/**
 * Keeps the current secret valid until `until`, along with at most `kept` rotated ones; older ones expire now. Up to
 * `kept` expired ones are remembered.
 */
export async function retireEndpointSecrets(tx: Tx, retirement: Retirement): Promise<void> {
  const { merchantId, endpointId, until, kept } = retirement;
  await sql`
    update webhook_endpoint_secrets set expires_at = ${until}
    where merchant_id = ${merchantId} and endpoint_id = ${endpointId} and expires_at is null
  `.execute(tx.db);
  // Kept a week after they expire: the doctor recognises a receiver that still verifies with one.
  const forgotten = new Date(tx.now.getTime() - 7 * 24 * 3_600_000);
  await sql`
    update webhook_endpoint_secrets set expires_at = ${tx.now}
    where merchant_id = ${merchantId} and endpoint_id = ${endpointId} and expires_at > ${tx.now}
      and id in (
        select id from webhook_endpoint_secrets
        where merchant_id = ${merchantId} and endpoint_id = ${endpointId} and expires_at > ${tx.now}
        order by expires_at desc, created_at desc offset ${kept})
  `.execute(tx.db);
  await sql`
    delete from webhook_endpoint_secrets
    where merchant_id = ${merchantId} and endpoint_id = ${endpointId} and (
      expires_at <= ${forgotten}
      or id in (
        select id from webhook_endpoint_secrets
        where merchant_id = ${merchantId} and endpoint_id = ${endpointId} and expires_at <= ${tx.now}
        order by expires_at desc, created_at desc offset ${kept}))
  `.execute(tx.db);
}
