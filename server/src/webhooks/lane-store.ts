import { sql } from 'kysely';
import { numbers, texts } from '../db/arrays.ts';
import type { Tx } from '../db/transaction.ts';
import type { ReceiverOrigin } from './delivery.ts';
import type { ClaimLimits } from './delivery-store.ts';
import type { Breaker } from './retry-schedule.ts';

/** A lane with a recorded change. */
export type LaneChange = ReceiverOrigin & {
  /** The earliest due time of new deliveries or retries; null: there are none. */
  readonly since: Date | null;
};

/** A lane as found by a claim. */
export type Lane = LaneChange & {
  /** When it is to be checked; null: it is not stored, so nothing was waiting in it. */
  readonly dueAt: Date | null;
  /** Nothing stored in it is due before then. */
  readonly keptSince: Date | null;
  readonly breaker: Breaker;
};

// Arbitrary; taken by every process that claims.
const turnLock = 6_402_118_376;
const changesAtOnce = 4096;

/**
 * Waits until no other process is claiming: two at once could both fill the slots of one endpoint. Also forces index
 * plans for the claim's statements, which read few rows by key: planned while tables are small, they would scan them.
 */
export async function waitForTurn(tx: Tx): Promise<void> {
  await sql`
    select set_config('idle_in_transaction_session_timeout', '5s', true), set_config('enable_seqscan', 'off', true),
           set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true),
           set_config('enable_material', 'off', true),
           pg_advisory_xact_lock(${turnLock})
  `.execute(tx.db);
}

/**
 * Records a change of lanes, in one row for all of them. `since`: the earliest due time of new deliveries or retries;
 * null if attempts ended and nothing is to be sent again.
 */
export async function noteLaneChanges(
  tx: Tx,
  endpoints: readonly ReceiverOrigin[],
  since: Date | null,
): Promise<void> {
  const changed = distinctEndpoints(endpoints);
  if (changed.length === 0) return;
  if (since !== null && since <= tx.now) tx.wakeAfterCommit();
  await sql`
    insert into webhook_lane_changes (merchant_ids, endpoints, since)
    values (${numbers(changed.map((one) => one.merchantId))}::bigint[],
            ${texts(changed.map((one) => one.endpoint))}::text[], ${since})
  `.execute(tx.db);
}

export function distinctEndpoints(endpoints: readonly ReceiverOrigin[]): ReceiverOrigin[] {
  return [...new Map(endpoints.map((one) => [laneKey(one), one])).values()];
}

export function laneKey({ merchantId, endpoint }: ReceiverOrigin): string {
  return `${merchantId} ${endpoint}`;
}

export type LaneChanges = {
  readonly changes: readonly LaneChange[];
  /** Merchants whose attempts ended. */
  readonly freed: readonly number[];
  readonly more: boolean;
};

/**
 * Takes recorded changes, in whole rows, until one claim has enough lanes to check. Deletes expired leases, left by
 * dead processes, and treats their deliveries as new. Call it after `waitForTurn`.
 */
export async function takeLaneChanges(tx: Tx): Promise<LaneChanges> {
  const { rows } = await sql<ChangeRow>`
    with change as (
      delete from webhook_lane_changes
      where ctid = any(array(
        select ctid from (
          select ctid, sum(cardinality(endpoints)) over (order by id) - cardinality(endpoints) as before
          from (select ctid, id, endpoints from webhook_lane_changes order by id limit ${changesAtOnce}) oldest
        ) counted
        where before < ${changesAtOnce}))
      returning merchant_ids, endpoints, since
    ), lost as (
      delete from webhook_leases where until <= ${tx.now} returning merchant_id, endpoint
    )
    select merchant_id, endpoint, min(since) as since, bool_or(has_ended) as has_ended, sum(changes)::int as changes
    from (
      select merchant_id, endpoint, since, since is null as has_ended, 1 as changes
      from change cross join unnest(merchant_ids, endpoints) named (merchant_id, endpoint)
      union all
      select merchant_id, endpoint, 'epoch', true, 0 from lost
    ) changed
    group by merchant_id, endpoint
  `.execute(tx.db);
  return {
    changes: rows.map((row) => ({ merchantId: row.merchant_id, endpoint: row.endpoint, since: row.since })),
    freed: [...new Set(rows.filter((row) => row.has_ended).map((row) => row.merchant_id))],
    more: rows.reduce((sum, row) => sum + row.changes, 0) >= changesAtOnce,
  };
}

type ChangeRow = {
  merchant_id: number;
  endpoint: string;
  since: Date | null;
  has_ended: boolean;
  changes: number;
};

/**
 * The lanes that may have something to send: those with new deliveries, stored ones with an ended attempt, and due
 * ones, of merchants whose turn it is or whose attempts ended; per merchant as many as it has slots.
 */
export async function readLanes(
  tx: Tx,
  { changes, freed }: LaneChanges,
  limits: ClaimLimits,
): Promise<Lane[]> {
  const { rows } = await sql<LaneRow>`
    with changed as (
      select * from unnest(
        ${numbers(changes.map((one) => one.merchantId))}::bigint[], ${texts(changes.map((one) => one.endpoint))}::text[],
        ${texts(changes.map(({ since }) => since?.toISOString() ?? null))}::timestamptz[]
      ) changed (merchant_id, endpoint, since)
    ),
    merchant as (
      (select merchant_id from webhook_turns where due_at <= ${tx.now} order by due_at limit ${limits.deliveries})
      union
      select unnest(${numbers(freed)}::bigint[])
    ),
    looked as (
      select merchant_id, endpoint, min(since) as since
      from (
        select merchant_id, endpoint, since from changed
        union all
        select lane.merchant_id, lane.endpoint, null
        from merchant cross join lateral (
          select merchant_id, endpoint from webhook_lanes
          where merchant_id = merchant.merchant_id and due_at <= ${tx.now}
          order by due_at limit ${limits.perMerchant}
        ) lane
      ) found
      group by merchant_id, endpoint
    )
    select merchant_id, endpoint, looked.since, lane.due_at, lane.since as kept_since, timeouts, open_until
    from looked
    left join webhook_lanes lane using (merchant_id, endpoint)
    left join webhook_breakers breaker using (merchant_id, endpoint)
    where looked.since is not null or lane.due_at is not null
    order by least(looked.since, lane.since)
  `.execute(tx.db);
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    endpoint: row.endpoint,
    since: row.since,
    dueAt: row.due_at,
    keptSince: row.kept_since,
    breaker: { timeouts: row.timeouts ?? 0, openUntil: row.open_until },
  }));
}

type LaneRow = {
  merchant_id: number;
  endpoint: string;
  since: Date | null;
  due_at: Date | null;
  kept_since: Date | null;
  timeouts: number | null;
  open_until: Date | null;
};

/** Leased deliveries of an endpoint, and when the first of these leases expires. */
export type LaneLoad = ReceiverOrigin & { readonly sending: number; readonly ends: Date };

export async function readLoads(tx: Tx, merchantIds: readonly number[]): Promise<LaneLoad[]> {
  const { rows } = await sql<{ merchant_id: number; endpoint: string; sending: number; ends: Date }>`
    select merchant_id, endpoint, count(*)::int as sending, min(until) as ends from webhook_leases
    where merchant_id = any(${numbers(merchantIds)}::bigint[])
    group by merchant_id, endpoint
  `.execute(tx.db);
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    endpoint: row.endpoint,
    sending: row.sending,
    ends: row.ends,
  }));
}

/** When a lane is to be checked next, and the earliest time something may be due in it; null: nothing is waiting. */
export type LaneFiling = ReceiverOrigin & {
  readonly next: { readonly dueAt: Date; readonly since: Date } | null;
};

export async function fileLanes(tx: Tx, filings: readonly LaneFiling[]): Promise<void> {
  await sql`
    with filing as (
      select * from unnest(
        ${numbers(filings.map((one) => one.merchantId))}::bigint[], ${texts(filings.map((one) => one.endpoint))}::text[],
        ${texts(filings.map(({ next }) => next?.dueAt.toISOString() ?? null))}::timestamptz[],
        ${texts(filings.map(({ next }) => next?.since.toISOString() ?? null))}::timestamptz[]
      ) filing (merchant_id, endpoint, due_at, since)
    ),
    ended as (
      delete from webhook_lanes lane using filing
      where lane.merchant_id = filing.merchant_id and lane.endpoint = filing.endpoint and filing.due_at is null
    )
    insert into webhook_lanes (merchant_id, endpoint, due_at, since)
    select merchant_id, endpoint, due_at, since from filing where due_at is not null
    on conflict (merchant_id, endpoint) do update set due_at = excluded.due_at, since = excluded.since
  `.execute(tx.db);
}

/** The time by which a merchant with no free slot has one again; null: it has free slots. */
export type MerchantRest = { readonly merchantId: number; readonly until: Date | null };

/** Schedules the next turn of these merchants, after their lanes have been filed. */
export async function fileTurns(tx: Tx, merchants: readonly MerchantRest[]): Promise<void> {
  await sql`
    with next as materialized (
      select merchant.merchant_id,
             case when lane.due_at is not null then greatest(lane.due_at, merchant.rests_until) end as due_at
      from unnest(
        ${numbers(merchants.map((one) => one.merchantId))}::bigint[],
        ${texts(merchants.map(({ until }) => until?.toISOString() ?? null))}::timestamptz[]
      ) merchant (merchant_id, rests_until)
      left join lateral (
        select due_at from webhook_lanes where merchant_id = merchant.merchant_id order by due_at limit 1
      ) lane on true
    ),
    ended as (
      delete from webhook_turns turn using next where turn.merchant_id = next.merchant_id and next.due_at is null
    )
    insert into webhook_turns as turn (merchant_id, due_at)
    select merchant_id, due_at from next where due_at is not null
    on conflict (merchant_id) do update set due_at = excluded.due_at where turn.due_at <> excluded.due_at
  `.execute(tx.db);
}
