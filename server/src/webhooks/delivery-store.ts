import { sql } from 'kysely';
import { numbers, texts } from '../db/arrays.ts';
import type { Tx } from '../db/transaction.ts';
import type { Delivery, DeliveryAttempt, DeliveryState, ReceiverOrigin } from './delivery.ts';
import type { Breaker } from './retry-schedule.ts';

export type ClaimLimits = {
  readonly deliveries: number;
  /** Concurrent attempts, across all processes. */
  readonly perEndpoint: number;
  readonly perMerchant: number;
  /** Additional deliveries this process leases for an idle endpoint, to send them as earlier ones end. */
  readonly ahead?: (lane: ReceiverOrigin) => number;
};

/** How many deliveries of a lane may be sent now, and the earliest time any may be due. */
export type OpenOriginQueue = ReceiverOrigin & { readonly places: number; readonly since: Date };

/** A delivery that is waiting and not in progress. */
export type WaitingDelivery = Omit<Delivery, 'leasedUntil'> & { readonly dueAt: Date };

/** The first waiting deliveries of each lane, in due order: one more than its slots. */
export async function selectWaiting(tx: Tx, lanes: readonly OpenOriginQueue[]): Promise<WaitingDelivery[]> {
  const { rows } = await sql<DeliveryRow>`
    select waiting.*, coalesce(waiting.own_body, event.body) as body
    from unnest(
      ${numbers(lanes.map((lane) => lane.merchantId))}::bigint[], ${texts(lanes.map((lane) => lane.endpoint))}::text[],
      ${texts(lanes.map((lane) => lane.since.toISOString()))}::timestamptz[],
      ${numbers(lanes.map((lane) => lane.places))}::int[]
    ) lane (merchant_id, endpoint, since, places)
    cross join lateral (
      select merchant_id, id, endpoint_id, url, endpoint, body as own_body, attempts, created_at, due_at
      from webhook_deliveries delivery
      where state = 'waiting' and merchant_id = lane.merchant_id and endpoint = lane.endpoint and due_at >= lane.since
        and not exists (
          select from webhook_leases lease
          where lease.merchant_id = delivery.merchant_id and lease.delivery_id = delivery.id
          offset 0) -- asked of each by its key, not joined
      order by due_at limit lane.places + 1
    ) waiting
    left join events event
      on event.merchant_id = waiting.merchant_id and event.id = split_part(waiting.id, '.', 1)
    where coalesce(waiting.own_body, event.body) is not null
    order by waiting.due_at
  `.execute(tx.db);
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    id: row.id,
    endpointId: row.endpoint_id,
    url: row.url,
    endpoint: row.endpoint,
    body: row.body,
    attempts: row.attempts,
    createdAt: row.created_at,
    dueAt: row.due_at,
  }));
}

/** Leases deliveries until `until`, so that no other process sends them. */
export async function insertLeases(
  tx: Tx,
  deliveries: readonly Pick<Delivery, 'merchantId' | 'id' | 'endpoint'>[],
  until: Date,
): Promise<void> {
  await sql`
    insert into webhook_leases (merchant_id, delivery_id, endpoint, until)
    select merchant_id, id, endpoint, ${until}
    from unnest(
      ${numbers(deliveries.map((one) => one.merchantId))}::bigint[], ${texts(deliveries.map((one) => one.id))}::text[],
      ${texts(deliveries.map((one) => one.endpoint))}::text[]
    ) leased (merchant_id, id, endpoint)
  `.execute(tx.db);
}

type DeliveryRow = {
  merchant_id: number;
  id: string;
  endpoint_id: string | null;
  url: string;
  endpoint: string;
  body: string;
  attempts: number;
  created_at: Date;
  due_at: Date;
};

/** Deletes leases, except those lost to another process meanwhile. */
export async function deleteLeases(tx: Tx, deliveries: readonly Delivery[]): Promise<void> {
  await sql`
    delete from webhook_leases lease
    using unnest(
      ${numbers(deliveries.map((one) => one.merchantId))}::bigint[], ${texts(deliveries.map((one) => one.id))}::text[],
      ${texts(deliveries.map((one) => one.leasedUntil.toISOString()))}::timestamptz[]
    ) released (merchant_id, id, leased_until)
    where lease.merchant_id = released.merchant_id and lease.delivery_id = released.id
      and lease.until = released.leased_until
  `.execute(tx.db);
}

export type DeliveryResult = {
  readonly delivery: Delivery;
  readonly attempt: DeliveryAttempt;
  readonly state: DeliveryState;
  readonly dueAt: Date;
};

/**
 * Records attempts, updates their deliveries and ends their leases in one statement. A lease lost meanwhile to a
 * process that considered this one dead is left alone, and a delivery that either of them delivered stays delivered.
 */
export async function recordOutcomes(tx: Tx, outcomes: readonly DeliveryResult[]): Promise<void> {
  await sql`
    with outcome as (
      select * from unnest(
        ${outcomes.map(({ delivery }) => delivery.merchantId)}::bigint[],
        ${outcomes.map(({ delivery }) => delivery.id)}::text[],
        ${outcomes.map(({ delivery }) => delivery.leasedUntil)}::timestamptz[],
        ${outcomes.map(({ state }) => state)}::text[],
        ${outcomes.map(({ dueAt }) => dueAt)}::timestamptz[],
        ${outcomes.map(({ attempt }) => attempt.at)}::timestamptz[],
        ${outcomes.map(({ attempt }) => attempt.durationMs)}::int[],
        ${outcomes.map(({ attempt }) => attempt.status)}::int[],
        ${outcomes.map(({ attempt }) => attempt.error)}::text[],
        ${outcomes.map(({ attempt }) => attempt.answer)}::text[],
        ${outcomes.map(({ attempt }) => JSON.stringify(attempt.headers))}::text[]
      ) outcome (merchant_id, id, leased_until, state, due_at, at, duration_ms, status, error, answer, headers)
    ),
    released as (
      delete from webhook_leases lease using outcome
      where lease.merchant_id = outcome.merchant_id and lease.delivery_id = outcome.id
        and lease.until = outcome.leased_until
    ),
    moved as (
      update webhook_deliveries delivery
      set attempts = delivery.attempts + 1,
          state = case when delivery.state in ('waiting', 'held') or outcome.state = 'delivered'
                       then outcome.state else delivery.state end,
          due_at = outcome.due_at,
          finished_at = case when outcome.state = 'waiting' then delivery.finished_at
                             else coalesce(delivery.finished_at, ${tx.now}) end
      from outcome
      where delivery.merchant_id = outcome.merchant_id and delivery.id = outcome.id
      returning delivery.merchant_id, delivery.id, delivery.attempts as number
    )
    insert into webhook_attempts
      (merchant_id, delivery_id, number, at, duration_ms, status, error, answer, headers)
    select merchant_id, id, number, at, duration_ms, status, error, answer, headers::json
    from outcome join moved using (merchant_id, id)
  `.execute(tx.db);
}

export type EndpointBreaker = ReceiverOrigin & { readonly breaker: Breaker };

/** Locks the stored breakers of these endpoints. */
export async function lockBreakers(tx: Tx, endpoints: readonly ReceiverOrigin[]): Promise<EndpointBreaker[]> {
  const { rows } = await sql<{
    merchant_id: number;
    endpoint: string;
    timeouts: number;
    open_until: Date | null;
  }>`
    select merchant_id, endpoint, timeouts, open_until from webhook_breakers
    where (merchant_id, endpoint) in (
      select * from unnest(
        ${endpoints.map((one) => one.merchantId)}::bigint[], ${endpoints.map((one) => one.endpoint)}::text[]))
    order by merchant_id, endpoint
    for update
  `.execute(tx.db);
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    endpoint: row.endpoint,
    breaker: { timeouts: row.timeouts, openUntil: row.open_until },
  }));
}

export async function writeBreakers(tx: Tx, breakers: readonly EndpointBreaker[]): Promise<void> {
  await sql`
    insert into webhook_breakers (merchant_id, endpoint, timeouts, open_until)
    select * from unnest(
      ${breakers.map((one) => one.merchantId)}::bigint[], ${breakers.map((one) => one.endpoint)}::text[],
      ${breakers.map((one) => one.breaker.timeouts)}::int[],
      ${breakers.map((one) => one.breaker.openUntil)}::timestamptz[])
    order by 1, 2
    on conflict (merchant_id, endpoint)
    do update set timeouts = excluded.timeouts, open_until = excluded.open_until
  `.execute(tx.db);
}

/**
 * Deletes held deliveries created before `createdBefore` and never attempted: no one looks for them. Returns the
 * number.
 */
export async function dropHeldOlderThan(tx: Tx, createdBefore: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from webhook_deliveries delivery using (
      select merchant_id, id from webhook_deliveries
      where state = 'held' and attempts = 0 and created_at < ${createdBefore}
      limit ${limit}
      for update skip locked
    ) old
    where delivery.merchant_id = old.merchant_id and delivery.id = old.id
  `.execute(tx.db);
  return Number(numAffectedRows ?? 0n);
}

/**
 * Gives up deliveries created before `createdBefore` that still wait or are held, except those being sent. Returns the
 * number.
 */
export async function exhaustOlderThan(tx: Tx, createdBefore: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update webhook_deliveries delivery set state = 'exhausted', finished_at = ${tx.now}
    from (
      select merchant_id, id from webhook_deliveries
      where state in ('waiting', 'held') and created_at < ${createdBefore}
        and not exists (
          select from webhook_leases lease
          where lease.merchant_id = webhook_deliveries.merchant_id and lease.delivery_id = webhook_deliveries.id
            and lease.until > ${tx.now})
      limit ${limit}
      for update skip locked
    ) old
    where delivery.merchant_id = old.merchant_id and delivery.id = old.id
  `.execute(tx.db);
  return Number(numAffectedRows ?? 0n);
}
