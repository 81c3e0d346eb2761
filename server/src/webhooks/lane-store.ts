import { sql } from 'kysely';
import { numbers, texts } from '../db/arrays.ts';
import type { Tx } from '../db/transaction.ts';
import type { ClaimLimits } from './delivery-store.ts';

/** One receiver of one merchant: scheme, host and port. */
export type Endpoint = { readonly merchantId: number; readonly endpoint: string };

// Arbitrary; taken by every process that claims.
const turnLock = 6_402_118_376;
const changesAtOnce = 4096;
const lanesAtOnce = 1024;

/** Waits until no other process claims: two at once could each give one endpoint all that it may have. */
export async function waitForTurn(tx: Tx): Promise<void> {
  await sql`
    select set_config('idle_in_transaction_session_timeout', '5s', true), pg_advisory_xact_lock(${turnLock})
  `.execute(tx.db);
}

/** Says that something came in for these endpoints, or that an attempt to them ended: one row for all of them. */
export async function noteLaneChanges(tx: Tx, endpoints: readonly Endpoint[]): Promise<void> {
  const changed = distinctEndpoints(endpoints);
  await sql`
    insert into webhook_lane_changes (merchant_ids, endpoints)
    values (${numbers(changed.map((one) => one.merchantId))}::bigint[], ${texts(changed.map((one) => one.endpoint))}::text[])
  `.execute(tx.db);
}

export function distinctEndpoints(endpoints: readonly Endpoint[]): Endpoint[] {
  return [...new Map(endpoints.map((one) => [`${one.merchantId} ${one.endpoint}`, one])).values()];
}

/**
 * Makes lanes that changed due now, those of whole rows, until they are as many as one claim looks at. To be called in
 * turn. Answers whether there may be more of them.
 */
export async function fileLaneChanges(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ changes: number }>`
    with change as (
      delete from webhook_lane_changes
      where ctid = any(array(
        select ctid from (
          select ctid, sum(cardinality(endpoints)) over (order by id) - cardinality(endpoints) as before
          from (select ctid, id, endpoints from webhook_lane_changes order by id limit ${changesAtOnce}) oldest
        ) counted
        where before < ${changesAtOnce}))
      returning merchant_ids, endpoints
    ), filed as (
      insert into webhook_lanes as lane (merchant_id, endpoint, due_at)
      select distinct merchant_id, endpoint, ${tx.now}::timestamptz
      from change cross join unnest(merchant_ids, endpoints) changed (merchant_id, endpoint)
      on conflict (merchant_id, endpoint) do update set due_at = excluded.due_at where lane.due_at > excluded.due_at
    )
    select coalesce(sum(cardinality(endpoints)), 0)::int as changes from change
  `.execute(tx.db);
  return (rows[0]?.changes ?? 0) >= changesAtOnce;
}

/**
 * Lanes that are due, of merchants that may have more sent at once: the longest due of each merchant first. Merchants
 * are found by stepping through the index from one to the next, whatever number of lanes each has.
 */
export async function selectDueLanes(tx: Tx, limits: ClaimLimits): Promise<Endpoint[]> {
  const { rows } = await sql<{ merchant_id: number; endpoint: string }>`
    with recursive merchant (merchant_id, due_at) as (
      (select merchant_id, due_at from webhook_lanes order by merchant_id, due_at limit 1)
      union all
      select next.merchant_id, next.due_at
      from merchant cross join lateral (
        select merchant_id, due_at from webhook_lanes
        where merchant_id > merchant.merchant_id order by merchant_id, due_at limit 1
      ) next
    ),
    merchant_load as (
      select merchant_id, count(*)::int as sending from webhook_leases where until > ${tx.now} group by merchant_id
    ),
    due_merchant as (
      select merchant_id from merchant left join merchant_load using (merchant_id)
      where due_at <= ${tx.now} and coalesce(sending, 0) < ${limits.perMerchant}
      order by due_at limit ${limits.deliveries}
    )
    select lane.merchant_id, lane.endpoint
    from due_merchant cross join lateral (
      select merchant_id, endpoint, due_at, row_number() over (order by due_at) as turn
      from webhook_lanes
      where merchant_id = due_merchant.merchant_id and due_at <= ${tx.now}
      order by due_at limit ${limits.perMerchant}
    ) lane
    order by lane.turn, lane.due_at limit ${lanesAtOnce}
  `.execute(tx.db);
  return rows.map((row) => ({ merchantId: row.merchant_id, endpoint: row.endpoint }));
}

/**
 * Sets when to look at lanes next that were looked at: when the next delivery is due, when a lease ends whose holder
 * may have died, or when a rest is over. What ends before then is told by a change. A lane with nothing left goes.
 */
export async function refileLanes(tx: Tx, lanes: readonly Endpoint[], limits: ClaimLimits): Promise<void> {
  await sql`
    with looked as (
      select * from unnest(
        ${lanes.map((lane) => lane.merchantId)}::bigint[], ${lanes.map((lane) => lane.endpoint)}::text[]
      ) looked (merchant_id, endpoint)
    ),
    lease as materialized (select * from webhook_leases where until > ${tx.now}),
    load as (
      select merchant_id, endpoint, count(*)::int as sending, min(until) as ends
      from lease group by merchant_id, endpoint
    ),
    next as materialized (
      select looked.merchant_id, looked.endpoint,
             case when waiting.due_at is null then load.ends
                  when breaker.open_until > ${tx.now} then breaker.open_until
                  when load.sending >= case when breaker.timeouts > 0 then 1 else ${limits.perEndpoint}::int end
                    then load.ends
                  else least(waiting.due_at, load.ends) end as due_at
      from looked
      left join webhook_breakers breaker using (merchant_id, endpoint)
      left join load using (merchant_id, endpoint)
      left join lateral (
        select due_at from webhook_deliveries delivery
        where state = 'waiting' and delivery.merchant_id = looked.merchant_id and delivery.endpoint = looked.endpoint
          and not exists (
            select from lease where lease.merchant_id = delivery.merchant_id and lease.delivery_id = delivery.id)
        order by due_at limit 1
      ) waiting on true
    ),
    ended as (
      delete from webhook_lanes lane using next
      where lane.merchant_id = next.merchant_id and lane.endpoint = next.endpoint and next.due_at is null
    )
    update webhook_lanes lane set due_at = next.due_at from next
    where lane.merchant_id = next.merchant_id and lane.endpoint = next.endpoint and next.due_at is not null
  `.execute(tx.db);
}
