import { sql } from 'kysely';
import type { Tx } from '../db/transaction.ts';
import type { Breaker } from './breaker.ts';
import type { Attempt, Delivery, DeliveryState } from './delivery.ts';
import type { Endpoint } from './lane-store.ts';

export type ClaimLimits = {
  readonly deliveries: number;
  readonly perEndpoint: number;
  readonly perMerchant: number;
};

/**
 * Leases deliveries of these lanes that are due, the first of each endpoint before the second of any: however much
 * waits for one endpoint, the others are served. One that rests gets nothing, and one that timed out last gets one at a
 * time until it answers.
 */
export async function leaseDue(
  tx: Tx,
  lanes: readonly Endpoint[],
  limits: ClaimLimits,
  leasedUntil: Date,
): Promise<Delivery[]> {
  const { rows } = await sql<DeliveryRow>`
    with lane as (
      select * from unnest(
        ${lanes.map((lane) => lane.merchantId)}::bigint[], ${lanes.map((lane) => lane.endpoint)}::text[]
      ) lane (merchant_id, endpoint)
    ),
    lease as materialized (select * from webhook_leases where until > ${tx.now}),
    endpoint_load as (
      select merchant_id, endpoint, count(*)::int as sending from lease group by merchant_id, endpoint
    ),
    merchant_load as (select merchant_id, count(*)::int as sending from lease group by merchant_id),
    free_lane as (
      select lane.merchant_id, lane.endpoint,
             case when breaker.timeouts > 0 then 1 else ${limits.perEndpoint}::int end
               - coalesce(endpoint_load.sending, 0) as places
      from lane
      left join webhook_breakers breaker using (merchant_id, endpoint)
      left join endpoint_load using (merchant_id, endpoint)
      where breaker.open_until is null or breaker.open_until <= ${tx.now}
    ),
    candidate as (
      select due.*, row_number() over (partition by due.merchant_id, due.endpoint order by due.due_at, due.id) as turn
      from free_lane cross join lateral (
        select merchant_id, id, endpoint, due_at from webhook_deliveries delivery
        where state = 'waiting' and due_at <= ${tx.now}
          and merchant_id = free_lane.merchant_id and endpoint = free_lane.endpoint
          and not exists (
            select from lease where lease.merchant_id = delivery.merchant_id and lease.delivery_id = delivery.id)
        order by due_at limit greatest(free_lane.places, 0)
      ) due
    ),
    admitted as (
      select merchant_id, id, endpoint, turn, due_at
      from (
        select candidate.*, row_number() over (partition by merchant_id order by turn, due_at) as place
        from candidate
      ) placed
      left join merchant_load using (merchant_id)
      where place + coalesce(merchant_load.sending, 0) <= ${limits.perMerchant}
      order by turn, due_at limit ${limits.deliveries}
    ),
    leased as (
      insert into webhook_leases as held (merchant_id, delivery_id, endpoint, until)
      select merchant_id, id, endpoint, ${leasedUntil} from admitted
      on conflict (merchant_id, delivery_id) do update set until = excluded.until
      where held.until <= ${tx.now}
      returning merchant_id, delivery_id
    )
    select delivery.merchant_id, delivery.id, delivery.url, delivery.endpoint, delivery.body, delivery.attempts,
           delivery.created_at
    from leased
    join admitted on admitted.merchant_id = leased.merchant_id and admitted.id = leased.delivery_id
    join webhook_deliveries delivery
      on delivery.merchant_id = leased.merchant_id and delivery.id = leased.delivery_id
    order by admitted.turn, admitted.due_at
  `.execute(tx.db);
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    id: row.id,
    url: row.url,
    endpoint: row.endpoint,
    body: row.body,
    attempts: row.attempts,
    createdAt: row.created_at,
    leasedUntil,
  }));
}

type DeliveryRow = {
  merchant_id: number;
  id: string;
  url: string;
  endpoint: string;
  body: string;
  attempts: number;
  created_at: Date;
};

export type Outcome = {
  readonly delivery: Delivery;
  readonly attempt: Attempt;
  readonly state: DeliveryState;
  readonly dueAt: Date;
};

/**
 * Keeps attempts, moves their deliveries on and ends their leases, all in one statement. A lease that was lost
 * meanwhile, to a process that took this one for dead, is left alone, and what one of them delivered stays delivered.
 */
export async function recordOutcomes(tx: Tx, outcomes: readonly Outcome[]): Promise<void> {
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
        ${outcomes.map(({ attempt }) => attempt.answer)}::text[]
      ) outcome (merchant_id, id, leased_until, state, due_at, at, duration_ms, status, error, answer)
    ),
    released as (
      delete from webhook_leases lease using outcome
      where lease.merchant_id = outcome.merchant_id and lease.delivery_id = outcome.id
        and lease.until = outcome.leased_until
    ),
    moved as (
      update webhook_deliveries delivery
      set attempts = delivery.attempts + 1,
          state = case when delivery.state = 'waiting' or outcome.state = 'delivered'
                       then outcome.state else delivery.state end,
          due_at = outcome.due_at,
          finished_at = case when outcome.state = 'waiting' then delivery.finished_at
                             else coalesce(delivery.finished_at, ${tx.now}) end
      from outcome
      where delivery.merchant_id = outcome.merchant_id and delivery.id = outcome.id
      returning delivery.merchant_id, delivery.id, delivery.attempts as number
    )
    insert into webhook_attempts (merchant_id, delivery_id, number, at, duration_ms, status, error, answer)
    select merchant_id, id, number, at, duration_ms, status, error, answer
    from outcome join moved using (merchant_id, id)
  `.execute(tx.db);
}

export type EndpointBreaker = Endpoint & { readonly breaker: Breaker };

/** The breakers that are kept of these endpoints, locked. */
export async function lockBreakers(tx: Tx, endpoints: readonly Endpoint[]): Promise<EndpointBreaker[]> {
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

/** Gives up what has waited since before `createdBefore`, except what is being sent. Answers how many. */
export async function exhaustOlderThan(tx: Tx, createdBefore: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update webhook_deliveries delivery set state = 'exhausted', finished_at = ${tx.now}
    from (
      select merchant_id, id from webhook_deliveries
      where state = 'waiting' and created_at < ${createdBefore}
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
