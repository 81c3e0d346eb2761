import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';

export type NewDevice = {
  readonly merchantId: number;
  readonly id: string;
  readonly endpointHash: Buffer;
  readonly sealedSubscription: Buffer;
  readonly sessionHash: Buffer;
  readonly userAgent: string;
};

/**
 * Stores a device and returns its id; a device registered before has the same id again. A device that another account
 * had registered now belongs to this account, because the browser changed hands. Returns undefined if the account is
 * frozen. Locks the account's row (shared), so that a concurrent freeze waits for the commit.
 */
export async function upsertDevice(tx: Tx, device: NewDevice): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    insert into push_subscriptions as stored
      (merchant_id, id, endpoint_hash, sealed_subscription, session_hash, user_agent, created_at, refreshed_at)
    select
      id, ${device.id}::uuid, ${device.endpointHash}::bytea, ${device.sealedSubscription}::bytea, ${device.sessionHash}::bytea,
      ${device.userAgent}::text, ${tx.now}::timestamptz, ${tx.now}::timestamptz
    from users where id = ${device.merchantId} and frozen_at is null for share
    on conflict (endpoint_hash) do update set
      id = case when stored.merchant_id = excluded.merchant_id then stored.id else excluded.id end,
      created_at = case when stored.merchant_id = excluded.merchant_id then stored.created_at else excluded.created_at end,
      merchant_id = excluded.merchant_id,
      sealed_subscription = excluded.sealed_subscription,
      session_hash = excluded.session_hash,
      user_agent = excluded.user_agent,
      refreshed_at = excluded.refreshed_at,
      failing_since = null, failures = 0, paused_until = null
    returning id
  `.execute(tx.db);
  return rows[0]?.id;
}

/** Keeps only the `maxDevices` devices of a merchant that were refreshed last. */
export async function forgetOldestDevices(tx: Tx, merchantId: number, maxDevices: number): Promise<void> {
  const newest = tx.db
    .selectFrom('push_subscriptions')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .orderBy('refreshed_at', 'desc')
    .limit(maxDevices);
  await tx.db
    .deleteFrom('push_subscriptions')
    .where('merchant_id', '=', merchantId)
    .where('id', 'not in', newest)
    .execute();
}

export async function deleteDevice(db: Db, merchantId: number, endpointHash: Buffer): Promise<void> {
  await db
    .deleteFrom('push_subscriptions')
    .where('merchant_id', '=', merchantId)
    .where('endpoint_hash', '=', endpointHash)
    .execute();
}

// The functions below concern the kinds of notification that a merchant turned off for their devices.

export async function selectOptOuts(db: Db, merchantId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('push_opt_outs')
    .select('kind')
    .where('merchant_id', '=', merchantId)
    .execute();
  return rows.map(({ kind }) => kind);
}

export async function replaceOptOuts(tx: Tx, merchantId: number, kinds: readonly string[]): Promise<void> {
  await sql`
    with removed as (
      delete from push_opt_outs where merchant_id = ${merchantId} and kind <> all(${[...kinds]}::text[]))
    insert into push_opt_outs (merchant_id, kind)
    select ${merchantId}, kind from unnest(${[...kinds]}::text[]) kind
    on conflict do nothing
  `.execute(tx.db);
}
