import { randomUUID } from 'node:crypto';
import { type EventType, eventType, type WebhookEndpoint } from '@jangada/contract';
import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';
import { lockMerchant } from '../lock-merchant.ts';

type OffReason = NonNullable<WebhookEndpoint['off_reason']>;

/** An endpoint with the health of its deliveries. */
export type StoredWebhookEndpoint = {
  readonly merchantId: number;
  readonly id: string;
  readonly url: string;
  readonly description: string;
  /** The types of event that it receives; all if empty. */
  readonly events: readonly EventType[];
  readonly state: 'on' | 'off';
  readonly offReason: OffReason | null;
  readonly offAt: Date | null;
  readonly failingSince: Date | null;
  readonly failures: number;
  readonly lastDeliveredAt: Date | null;
  readonly createdAt: Date;
};

type EndpointRow = Omit<StoredWebhookEndpoint, 'events'> & { readonly events: readonly string[] };

/** Returns one endpoint, or all of a merchant's, oldest first. */
export async function selectWebhookEndpoints(
  db: Db | Tx['db'],
  merchantId: number,
  id: string | null = null,
): Promise<StoredWebhookEndpoint[]> {
  const { rows } = await sql<EndpointRow>`
    select endpoint.merchant_id as "merchantId", id, url, description, events, state, off_reason as "offReason",
           off_at as "offAt", failing_since as "failingSince", coalesce(failures, 0) as failures,
           last_delivered_at as "lastDeliveredAt", created_at as "createdAt"
    from webhook_endpoints endpoint
    left join webhook_health health
      on health.merchant_id = endpoint.merchant_id and health.receiver = endpoint.id::text
    where endpoint.merchant_id = ${merchantId} and (${id}::uuid is null or id = ${id}::uuid)
    order by created_at, id
  `.execute(db);
  return rows.map((row) => ({ ...row, events: row.events.map((type) => eventType.parse(type)) }));
}

type WebhookEndpointFields = Pick<
  StoredWebhookEndpoint,
  'merchantId' | 'id' | 'url' | 'description' | 'events'
>;

/** Locks the merchant, so that their endpoints are created and changed one at a time. Returns the existing ids. */
export async function lockWebhookEndpointIds(tx: Tx, merchantId: number): Promise<string[]> {
  await lockMerchant(tx, merchantId);
  const { rows } = await sql<{ id: string }>`
    select id from webhook_endpoints where merchant_id = ${merchantId}
  `.execute(tx.db);
  return rows.map(({ id }) => id);
}

/** Inserts an endpoint, and its cursor: the position in the log of events up to which it has been told. */
export async function insertWebhookEndpointRow(tx: Tx, endpoint: WebhookEndpointFields): Promise<void> {
  await sql`
    with endpoint as (
      insert into webhook_endpoints (merchant_id, id, url, description, events, on_since, created_at)
      values (${endpoint.merchantId}, ${endpoint.id}, ${endpoint.url}, ${endpoint.description},
              ${[...endpoint.events]}::text[], ${tx.now}, ${tx.now})
      returning merchant_id, id
    )
    -- The cursor starts at this transaction, so the endpoint receives only events that are written from now on.
    insert into webhook_cursors (merchant_id, receiver, epoch, tx, seq)
    select merchant_id, id::text, coalesce((select feed_epoch from gateway), 1), pg_current_xact_id(), 0 from endpoint
  `.execute(tx.db);
}

/** Updates an endpoint. Returns false if it does not exist. */
export async function updateWebhookEndpointRow(tx: Tx, endpoint: WebhookEndpointFields): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update webhook_endpoints
    set url = ${endpoint.url}, description = ${endpoint.description}, events = ${[...endpoint.events]}::text[]
    where merchant_id = ${endpoint.merchantId} and id = ${endpoint.id}
  `.execute(tx.db);
  return numAffectedRows === 1n;
}

/** Deletes an endpoint and its cursor. Returns false if it does not exist. */
export async function deleteWebhookEndpointRow(tx: Tx, merchantId: number, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from webhook_endpoints where merchant_id = ${merchantId} and id = ${id}
  `.execute(tx.db);
  await sql`delete from webhook_cursors where merchant_id = ${merchantId} and receiver = ${id}`.execute(
    tx.db,
  );
  return numAffectedRows === 1n;
}

/**
 * Turns an endpoint off, or on if `offReason` is null. Returns false if it is in that state already or does not exist.
 */
export async function setWebhookEndpointState(
  tx: Tx,
  merchantId: number,
  id: string,
  offReason: OffReason | null,
): Promise<boolean> {
  const state = offReason === null ? 'on' : 'off';
  const { numAffectedRows } = await sql`
    update webhook_endpoints
    set state = ${state}, off_reason = ${offReason}, off_at = ${offReason === null ? null : tx.now},
        on_since = ${offReason === null ? tx.now : sql`on_since`}
    where merchant_id = ${merchantId} and id = ${id} and state <> ${state}
  `.execute(tx.db);
  return numAffectedRows === 1n;
}

/** The part of an endpoint's id used as the suffix of its delivery ids. */
export function shortEndpointId(id: string): string {
  return id.slice(0, 8);
}

/**
 * Returns a new id whose short form differs from those of the merchant's other endpoints. With equal short forms, two
 * deliveries of one event would have the same id.
 */
export function newWebhookEndpointId(
  otherIds: readonly string[],
  generateId: () => string = randomUUID,
): string {
  const takenShortIds = otherIds.map(shortEndpointId);
  for (;;) {
    const id = generateId();
    if (!takenShortIds.includes(shortEndpointId(id))) return id;
  }
}
