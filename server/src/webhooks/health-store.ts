import { sql } from 'kysely';
import { lockSeveral } from '../db/sharding.ts';
import type { Tx } from '../db/transaction.ts';
import type { Breaker } from './retry-schedule.ts';

/** The results of a batch of attempts at one receiver: the last success, if any, and the failures after it. */
export type ReceiverResults = {
  readonly merchantId: number;
  /** An endpoint's id, or the origin (scheme, host and port) of callback URLs. */
  readonly receiver: string;
  readonly isEndpoint: boolean;
  readonly deliveredAt: Date | null;
  readonly failures: number;
  /** The times of the first and the last of these failures. */
  readonly failedFrom: Date | null;
  readonly failedUntil: Date | null;
  /** The circuit breaker after these attempts. It pauses a receiver that repeatedly did not respond in time. */
  readonly breaker: Breaker;
};

/**
 * Records the health of receivers. To save writes, the row of an endpoint without failures is updated at most once a
 * minute, and a callback origin without failures gets no row.
 */
export async function recordHealth(tx: Tx, results: readonly ReceiverResults[]): Promise<void> {
  const minuteAgo = new Date(tx.now.getTime() - 60_000);
  if (results.length === 0) return;
  await sql`
    insert into webhook_health as health
      (merchant_id, receiver, last_delivered_at, failing_since, failures, last_failed_at, timeouts, paused_until)
    select merchant_id, receiver, delivered_at, failed_from, failures, failed_until, timeouts, paused_until
    from unnest(
      ${results.map((result) => result.merchantId)}::bigint[], ${results.map((result) => result.receiver)}::text[],
      ${results.map((result) => result.isEndpoint)}::boolean[], ${results.map((result) => result.deliveredAt)}::timestamptz[],
      ${results.map((result) => result.failures)}::int[], ${results.map((result) => result.failedFrom)}::timestamptz[],
      ${results.map((result) => result.failedUntil)}::timestamptz[],
      ${results.map((result) => result.breaker.timeouts)}::int[],
      ${results.map((result) => result.breaker.pausedUntil)}::timestamptz[]
    ) result (
      merchant_id, receiver, is_endpoint, delivered_at, failures, failed_from, failed_until, timeouts, paused_until)
    where is_endpoint or failures > 0 or exists (
      select from webhook_health known
      where known.merchant_id = result.merchant_id and known.receiver = result.receiver
        and known.failing_since is not null)
    order by merchant_id, receiver
    on conflict (merchant_id, receiver) do update set
      last_delivered_at = coalesce(excluded.last_delivered_at, health.last_delivered_at),
      failing_since = case when excluded.last_delivered_at is null
                           then coalesce(health.failing_since, excluded.failing_since)
                           else excluded.failing_since end,
      failures = excluded.failures + case when excluded.last_delivered_at is null then health.failures else 0 end,
      last_failed_at = coalesce(excluded.last_failed_at, health.last_failed_at),
      timeouts = excluded.timeouts, paused_until = excluded.paused_until
    where excluded.failures > 0 or health.failing_since is not null
      or coalesce(health.last_delivered_at < ${minuteAgo}, true)
  `.execute(tx.db);
}

/** A receiver that has failed for so long that its merchant must be notified. */
export type FailingReceiver = {
  readonly merchantId: number;
  readonly receiver: string;
  readonly failingSince: Date;
  readonly failures: number;
  readonly lastFailedAt: Date;
};

/** When a merchant is notified of a failing receiver. */
export type FailingRule = {
  /** How long the receiver must have failed. */
  readonly failingMs: number;
  /** An endpoint that has failed for this long is returned even within `pauseMs`, because it must be turned off. */
  readonly turnOffAfterMs: number;
  /** In how many attempts it must have failed. */
  readonly failures: number;
  /** The least time between two notifications about one receiver. */
  readonly pauseMs: number;
  /** How many receivers are returned at most. */
  readonly limit: number;
};

/**
 * Locks and returns the receivers that have failed for `failingMs` in at least `failures` attempts, and whose merchant
 * was not notified of them within the last `pauseMs`.
 */
export async function lockFailingReceivers(tx: Tx, rule: FailingRule): Promise<FailingReceiver[]> {
  const { rows } = await sql<FailingReceiver>`
    select merchant_id as "merchantId", receiver, failing_since as "failingSince", failures,
           last_failed_at as "lastFailedAt"
    from webhook_health
    where failing_since <= ${new Date(tx.now.getTime() - rule.failingMs)} and failures >= ${rule.failures}
      and last_failed_at >= failing_since + ${rule.failingMs} * interval '1 millisecond'
      and (
        coalesce(warned_at <= ${new Date(tx.now.getTime() - rule.pauseMs)} and last_failed_at > warned_at, true)
        or (receiver not like 'http%' and last_failed_at >= failing_since + ${rule.turnOffAfterMs} * interval '1 millisecond'))
    order by merchant_id, receiver
    limit ${rule.limit}
    for update skip locked
  `.execute(tx.db);
  return rows;
}

/** Records that the merchants of these receivers are notified now. */
export async function markWarned(tx: Tx, warned: readonly FailingReceiver[]): Promise<void> {
  await sql`
    update webhook_health health set warned_at = ${tx.now}
    from unnest(${warned.map(({ merchantId }) => merchantId)}::bigint[], ${warned.map(({ receiver }) => receiver)}::text[])
         warned (merchant_id, receiver)
    where health.merchant_id = warned.merchant_id and health.receiver = warned.receiver
  `.execute(tx.db);
}

/** Resets the failures of an endpoint that is turned on or off. */
export async function clearFailures(tx: Tx, merchantId: number, endpointId: string): Promise<void> {
  await sql`
    update webhook_health
    set failing_since = null, failures = 0, timeouts = 0, paused_until = null, warned_at = null
    where merchant_id = ${merchantId} and receiver = ${endpointId}
  `.execute(tx.db);
}

export async function deleteHealth(tx: Tx, merchantId: number, endpointId: string): Promise<void> {
  await sql`
    delete from webhook_health where merchant_id = ${merchantId} and receiver = ${endpointId}
  `.execute(tx.db);
}

/**
 * Deletes the health of callback origins without a failure since `before`, and of removed endpoints: a delivery that
 * was in progress when its endpoint was removed records health again. Returns how many rows it deleted.
 */
export async function pruneHealth(tx: Tx, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from webhook_health health using (
      select merchant_id, receiver from webhook_health
      where (receiver like 'http%' and last_failed_at < ${before})
        or (receiver not like 'http%' and not exists (
          select from webhook_endpoints endpoint
          where endpoint.merchant_id = webhook_health.merchant_id and endpoint.id::text = receiver))
      limit ${limit}
      ${lockSeveral('for update skip locked')}
    ) old
    where health.merchant_id = old.merchant_id and health.receiver = old.receiver
  `.execute(tx.db);
  return Number(numAffectedRows ?? 0n);
}
