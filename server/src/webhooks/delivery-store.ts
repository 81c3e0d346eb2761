import { sql } from 'kysely';
import { numberArray, textArray } from '../db/arrays.ts';
import type { Db } from '../db/pool.ts';
import { lockSeveral } from '../db/sharding.ts';
import type { Tx } from '../db/transaction.ts';
import type { Delivery, DeliveryAttempt, DeliveryOutcome } from './delivery.ts';
import { LOG_START, type Position, type ReadEvent } from './event-reader.ts';
import type { Breaker } from './retry-schedule.ts';
import { ALL_CALLBACKS } from './secret-store.ts';

/*
 * SQL of the webhook sender: it reads new events from the log of events and stored deliveries that wait for a retry,
 * and records the outcomes. A delivery of a new event gets a row only after its first attempt, or when it is put off.
 */

/** A reader of the log, with a cursor of its own: an endpoint that is on, or all callback addresses of a merchant. */
export type LogReader = {
  readonly merchantId: number;
  /** The endpoint's id, or `ALL_CALLBACKS`. */
  readonly receiver: string;
  /** The position up to which every event is finished. */
  readonly cursor: Position;
  /** Null for callback addresses, each of which has its own URL. */
  readonly url: string | null;
  /** When the endpoint was last turned on; null for callback addresses. */
  readonly onSince: Date | null;
  /** The endpoint's circuit breaker. That of a callback address is read by `selectBreakers`. */
  readonly breaker: Breaker;
};

/** Returns the readers of these merchants' logs. An endpoint that is off does not read. */
export async function selectReaders(db: Db, merchantIds: readonly number[]): Promise<LogReader[]> {
  const { rows } = await sql<{
    merchant_id: number;
    receiver: string;
    epoch: number;
    tx: string;
    seq: number;
    url: string | null;
    on_since: Date | null;
    timeouts: number | null;
    paused_until: Date | null;
  }>`
    select cursor.merchant_id, cursor.receiver, cursor.epoch, cursor.tx::text, cursor.seq,
           endpoint.url, endpoint.on_since, health.timeouts, health.paused_until
    from webhook_cursors cursor
    left join webhook_endpoints endpoint
      on endpoint.merchant_id = cursor.merchant_id and endpoint.id::text = cursor.receiver
    left join webhook_health health
      on health.merchant_id = cursor.merchant_id and health.receiver = cursor.receiver
    where cursor.merchant_id = any(${numberArray(merchantIds)}::bigint[])
      and (cursor.receiver = ${ALL_CALLBACKS} or endpoint.state = 'on')
  `.execute(db);
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    receiver: row.receiver,
    cursor: [row.epoch, Number(row.tx), row.seq],
    url: row.url,
    onSince: row.on_since,
    breaker: { timeouts: row.timeouts ?? 0, pausedUntil: row.paused_until },
  }));
}

/** How far a reader has come: it has read all events up to and including the position `after`. */
export type LogPosition = {
  readonly merchantId: number;
  readonly receiver: string;
  readonly after: Position;
};

/**
 * An event as read from the log. `isWanted`: the reader receives events of its type, and has no stored delivery of it
 * yet.
 */
export type LoggedEvent = ReadEvent & {
  readonly type: string;
  readonly subjectId: string;
  readonly callbackUrl: string | null;
  /** Empty if the event is not wanted. */
  readonly body: string;
  readonly createdAt: Date;
};

/** Returns a page for each reader, and the horizon: from this position on, open transactions may still add events. */
export async function readEventLog(
  db: Db,
  readers: readonly LogPosition[],
  pageSize: number,
): Promise<{ readonly pages: readonly (readonly LoggedEvent[])[]; readonly horizon: Position }> {
  if (readers.length === 0) return { pages: [], horizon: LOG_START };
  // `offset 0` keeps the planner from hashing all stored deliveries to find the few of this page.
  const { rows } = await sql<{
    number: number;
    id: string;
    type: string;
    subject_id: string;
    callback_url: string | null;
    body: string | null;
    created_at: Date;
    epoch: number;
    tx: string;
    seq: number;
    horizon_epoch: number;
    horizon_tx: string;
  }>`
    with horizon as materialized (
      select coalesce((select feed_epoch from gateway), 1) as epoch, pg_snapshot_xmin(pg_current_snapshot()) as tx
    )
    select reader.number::int, event.id, event.type, event.subject_id, event.callback_url, event.created_at,
           event.epoch, event.tx::text, event.seq, horizon.epoch as horizon_epoch, horizon.tx::text as horizon_tx,
           case when (receiver = ${ALL_CALLBACKS} or endpoint.events = '{}' or event.type = any(endpoint.events))
                     and not exists (
                       select from webhook_deliveries known
                       where known.merchant_id = event.merchant_id
                         and known.id = event.id || coalesce('.' || left(endpoint.id::text, 8), '')
                       offset 0)
                then event.body end as body
    -- The SELECTs hide the lengths of the arrays from the planner, which would make a new plan for each short array.
    from horizon,
         unnest((select ${numberArray(readers.map(({ merchantId }) => merchantId))}::bigint[]),
                (select ${textArray(readers.map(({ receiver }) => receiver))}::text[]),
                (select ${numberArray(readers.map(({ after: [epoch] }) => epoch))}::int[]),
                (select ${numberArray(readers.map(({ after: [, tx] }) => tx))}::xid8[]),
                (select ${numberArray(readers.map(({ after: [, , seq] }) => seq))}::bigint[]))
         with ordinality reader (merchant_id, receiver, epoch, tx, seq, number)
    left join webhook_endpoints endpoint
      on endpoint.merchant_id = reader.merchant_id and endpoint.id::text = reader.receiver
    cross join lateral (
      (select * from events
       where receiver <> ${ALL_CALLBACKS} and events.merchant_id = reader.merchant_id
         and (events.epoch, events.tx, events.seq) > (reader.epoch, reader.tx, reader.seq)
       order by events.epoch, events.tx, events.seq limit ${pageSize})
      union all
      (select * from events
       where receiver = ${ALL_CALLBACKS} and events.merchant_id = reader.merchant_id and callback_url is not null
         and (events.epoch, events.tx, events.seq) > (reader.epoch, reader.tx, reader.seq)
       order by events.epoch, events.tx, events.seq limit ${pageSize})
    ) event
    order by reader.number, event.epoch, event.tx, event.seq
  `.execute(db);
  const pages = readers.map((): LoggedEvent[] => []);
  for (const row of rows)
    pages[row.number - 1]?.push({
      id: row.id,
      position: [row.epoch, Number(row.tx), row.seq],
      isWanted: row.body !== null,
      type: row.type,
      subjectId: row.subject_id,
      callbackUrl: row.callback_url,
      body: row.body ?? '',
      createdAt: row.created_at,
    });
  const [first] = rows;
  return {
    pages,
    horizon: first === undefined ? LOG_START : [first.horizon_epoch, Number(first.horizon_tx), 0],
  };
}

/** The stored deliveries of a merchant that are due, and when the next one will be due. */
export type DueRetries = {
  readonly merchantId: number;
  readonly nextDueAt: Date | null;
  readonly deliveries: readonly Delivery[];
};

/** Whether a row's receiver may be sent to. Only endpoints, whose ids contain no colon, can be off. */
const isWaitingReceiverOn = sql`(waiting.receiver like '%:%' or exists (
  select from webhook_endpoints endpoint
  where endpoint.merchant_id = waiting.merchant_id and endpoint.id::text = waiting.receiver and state = 'on'))`;

/**
 * Returns the first `perReceiver` stored deliveries that are due at each receiver of these merchants, except endpoints
 * that are off. The recursive query steps through the index from one receiver to the next, so its cost does not depend
 * on how many deliveries wait at each.
 */
export async function selectDueRetries(
  db: Db,
  merchantIds: readonly number[],
  now: Date,
  perReceiver: number,
): Promise<DueRetries[]> {
  const { rows } = await sql<{
    merchant_id: number;
    next_due_at: Date | null;
    id: string | null;
    type: string;
    subject_id: string;
    receiver: string;
    url: string;
    body: string | null;
    attempts: number;
    created_at: Date;
  }>`
    with recursive waiting as (
      (select first.merchant_id, first.receiver
       from unnest((select ${numberArray(merchantIds)}::bigint[])) asked (merchant_id)
       cross join lateral (
         select delivery.merchant_id, receiver from webhook_deliveries delivery
         where delivery.merchant_id = asked.merchant_id and state = 'waiting' order by receiver limit 1
       ) first)
      union all
      select next.merchant_id, next.receiver
      from waiting cross join lateral (
        select delivery.merchant_id, delivery.receiver from webhook_deliveries delivery
        where delivery.merchant_id = waiting.merchant_id and delivery.receiver > waiting.receiver and state = 'waiting'
        order by delivery.receiver limit 1
      ) next
    )
    select waiting.merchant_id, waiting.receiver, next.due_at as next_due_at, due.id, due.type, due.subject_id, due.url,
           coalesce(due.body, event.body) as body, jsonb_array_length(due.attempts) as attempts, due.created_at
    from waiting
    left join lateral (
      select due_at from webhook_deliveries delivery
      where delivery.merchant_id = waiting.merchant_id and delivery.receiver = waiting.receiver and state = 'waiting'
        and due_at > ${now}
      order by due_at limit 1
    ) next on true
    left join lateral (
      select * from webhook_deliveries delivery
      where delivery.merchant_id = waiting.merchant_id and delivery.receiver = waiting.receiver and state = 'waiting'
        and due_at <= ${now}
      order by due_at limit ${perReceiver}
    ) due on true
    left join events event
      on event.merchant_id = waiting.merchant_id and event.id = split_part(due.id, '.', 1)
    where ${isWaitingReceiverOn}
    order by waiting.merchant_id, due.due_at
  `.execute(db);
  return [...Map.groupBy(rows, (row) => row.merchant_id)].map(([merchantId, merchantRows]) => ({
    merchantId,
    nextDueAt: merchantRows
      .map(({ next_due_at }) => next_due_at)
      .reduce((first, at) => (first === null || (at !== null && at < first) ? at : first), null),
    deliveries: merchantRows.flatMap(({ id, body, ...row }) =>
      id === null || body === null
        ? []
        : [
            {
              merchantId,
              id,
              type: row.type,
              subjectId: row.subject_id,
              receiver: row.receiver,
              url: row.url,
              body,
              attempts: row.attempts,
              createdAt: row.created_at,
            },
          ],
    ),
  }));
}

/** Returns the circuit breakers of those callback origins whose last attempts timed out. */
export async function selectBreakers(
  db: Db,
  origins: readonly { readonly merchantId: number; readonly receiver: string }[],
): Promise<{ readonly merchantId: number; readonly receiver: string; readonly breaker: Breaker }[]> {
  if (origins.length === 0) return [];
  const { rows } = await sql<{
    merchant_id: number;
    receiver: string;
    timeouts: number;
    paused_until: Date | null;
  }>`
    select merchant_id, receiver, timeouts, paused_until
    from unnest(${numberArray(origins.map(({ merchantId }) => merchantId))}::bigint[],
                ${textArray(origins.map(({ receiver }) => receiver))}::text[]) asked (merchant_id, receiver)
    join webhook_health using (merchant_id, receiver)
    where timeouts > 0
  `.execute(db);
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    receiver: row.receiver,
    breaker: { timeouts: row.timeouts, pausedUntil: row.paused_until },
  }));
}

/**
 * Returns all merchants with an event past a cursor or a stored delivery that is due, except those leased to another
 * process than `holder`. The recursive query steps through the index from one receiver to the next, so its cost does
 * not depend on how many deliveries wait at each.
 */
export async function selectMerchantsWithWork(db: Db, holder: string, now: Date): Promise<number[]> {
  const { rows } = await sql<{ merchant_id: number }>`
    with recursive waiting as (
      (select merchant_id, receiver from webhook_deliveries where state = 'waiting'
       order by merchant_id, receiver limit 1)
      union all
      select next.merchant_id, next.receiver
      from waiting cross join lateral (
        select merchant_id, receiver from webhook_deliveries delivery
        where state = 'waiting' and (delivery.merchant_id, delivery.receiver) > (waiting.merchant_id, waiting.receiver)
        order by merchant_id, receiver limit 1
      ) next
    )
    select merchant_id from (
      select cursor.merchant_id from webhook_cursors cursor
      where case when receiver = ${ALL_CALLBACKS} then exists (
        select from events
        where events.merchant_id = cursor.merchant_id and callback_url is not null
          and (events.epoch, events.tx, events.seq) > (cursor.epoch, cursor.tx, cursor.seq))
      else exists (
        select from events
        where events.merchant_id = cursor.merchant_id
          and (events.epoch, events.tx, events.seq) > (cursor.epoch, cursor.tx, cursor.seq))
        and exists (
          select from webhook_endpoints endpoint
          where endpoint.merchant_id = cursor.merchant_id and endpoint.id::text = cursor.receiver and state = 'on')
      end
      union
      select waiting.merchant_id from waiting
      where exists (
        select from webhook_deliveries delivery
        where delivery.merchant_id = waiting.merchant_id and delivery.receiver = waiting.receiver and state = 'waiting'
          and due_at <= ${now})
        and ${isWaitingReceiverOn}
    ) found
    where not exists (
      select from webhook_leases lease
      where lease.merchant_id = found.merchant_id and lease.holder <> ${holder} and lease.until > ${now})
  `.execute(db);
  return rows.map((row) => row.merchant_id);
}

/**
 * Stores the outcomes of deliveries. If a delivery is stored already, the attempt is added to it. Once delivered, it
 * stays delivered, even if another process records a failed attempt later.
 */
export async function recordOutcomes(tx: Tx, outcomes: readonly DeliveryOutcome[]): Promise<void> {
  if (outcomes.length === 0) return;
  const deliveries = outcomes.map(({ delivery }) => delivery);
  await sql`
    insert into webhook_deliveries as known
      (merchant_id, id, type, subject_id, url, receiver, state, due_at, created_at, finished_at, attempts)
    select merchant_id, id, type, subject_id, url, receiver, state, due_at, created_at,
           case when state <> 'waiting' then ${tx.now}::timestamptz end, attempts::jsonb
    from rows from (
      unnest(
        ${numberArray(deliveries.map(({ merchantId }) => merchantId))}::bigint[], ${textArray(deliveries.map(({ id }) => id))}::text[],
        ${textArray(deliveries.map(({ type }) => type))}::text[], ${textArray(deliveries.map(({ subjectId }) => subjectId))}::uuid[],
        ${textArray(deliveries.map(({ url }) => url))}::text[], ${textArray(deliveries.map(({ receiver }) => receiver))}::text[],
        ${textArray(outcomes.map(({ state }) => state))}::text[],
        ${textArray(outcomes.map(({ dueAt }) => dueAt.toISOString()))}::timestamptz[],
        ${textArray(deliveries.map(({ createdAt }) => createdAt.toISOString()))}::timestamptz[]),
      string_to_table(${outcomes.map(({ attempt }) => JSON.stringify(toStoredAttempts(attempt))).join('\n')}, E'\n')
    ) outcome (merchant_id, id, type, subject_id, url, receiver, state, due_at, created_at, attempts)
    order by merchant_id, id
    on conflict (merchant_id, id) do update set
      url = excluded.url,
      state = case when known.state = 'waiting' or excluded.state = 'delivered' then excluded.state else known.state end,
      due_at = excluded.due_at,
      finished_at = case when excluded.state = 'waiting' then known.finished_at
                         else coalesce(known.finished_at, excluded.finished_at) end,
      attempts = known.attempts || excluded.attempts
  `.execute(tx.db);
}

/** An attempt as stored in `webhook_deliveries`. */
export type StoredAttempt = Omit<DeliveryAttempt, 'at' | 'retryAfterMs'> & { readonly at: string };

function toStoredAttempts(attempt: DeliveryAttempt | undefined): StoredAttempt[] {
  if (attempt === undefined) return [];
  const { retryAfterMs: _, at, ...rest } = attempt;
  return [{ ...rest, at: at.toISOString() }];
}

/** Moves cursors forward. A cursor that is already further, because another process moved it, stays where it is. */
export async function moveCursors(tx: Tx, moved: readonly LogPosition[]): Promise<void> {
  if (moved.length === 0) return;
  await sql`
    update webhook_cursors cursor set epoch = moved.epoch, tx = moved.tx, seq = moved.seq
    from (
      select * from unnest(
        ${numberArray(moved.map(({ merchantId }) => merchantId))}::bigint[], ${textArray(moved.map(({ receiver }) => receiver))}::text[],
        ${numberArray(moved.map(({ after: [epoch] }) => epoch))}::int[], ${numberArray(moved.map(({ after: [, txId] }) => txId))}::xid8[],
        ${numberArray(moved.map(({ after: [, , seq] }) => seq))}::bigint[]
      ) moved (merchant_id, receiver, epoch, tx, seq)
      order by merchant_id, receiver
    ) moved
    where cursor.merchant_id = moved.merchant_id and cursor.receiver = moved.receiver
      and (cursor.epoch, cursor.tx, cursor.seq) < (moved.epoch, moved.tx, moved.seq)
  `.execute(tx.db);
}

// Keeps the next two functions' statements short, however many deliveries wait for one receiver.
const maxRetriesChanged = 10_000;

/** Makes the retries that wait for a receiver due now. Any beyond the first ten thousand keep their times. */
export async function makeRetriesDue(tx: Tx, merchantId: number, receiver: string): Promise<void> {
  await sql`
    update webhook_deliveries delivery set due_at = ${tx.now}
    from (
      select id from webhook_deliveries
      where merchant_id = ${merchantId} and receiver = ${receiver} and state = 'waiting' and due_at > ${tx.now}
      order by due_at limit ${maxRetriesChanged}
    ) later
    where delivery.merchant_id = ${merchantId} and delivery.id = later.id
  `.execute(tx.db);
}

/** Gives up the retries that wait for a removed receiver, up to ten thousand. `giveUpUndeliverable` gives up the rest. */
export async function giveUpRetries(tx: Tx, merchantId: number, receiver: string): Promise<void> {
  await sql`
    update webhook_deliveries delivery set state = 'exhausted', finished_at = ${tx.now}
    from (
      select id from webhook_deliveries
      where merchant_id = ${merchantId} and receiver = ${receiver} and state = 'waiting' limit ${maxRetriesChanged}
    ) waiting
    where delivery.merchant_id = ${merchantId} and delivery.id = waiting.id
  `.execute(tx.db);
}

/**
 * Gives up stored deliveries that wait for a removed endpoint, or that were created before `createdBefore` and still
 * wait. Returns how many.
 */
export async function giveUpUndeliverable(tx: Tx, createdBefore: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update webhook_deliveries delivery set state = 'exhausted', finished_at = ${tx.now}
    from (
      select merchant_id, id from webhook_deliveries waiting
      where state = 'waiting' and (created_at < ${createdBefore} or (receiver not like '%:%' and not exists (
        select from webhook_endpoints endpoint
        where endpoint.merchant_id = waiting.merchant_id and endpoint.id::text = waiting.receiver)))
      limit ${limit}
      ${lockSeveral('for update skip locked')}
    ) old
    where delivery.merchant_id = old.merchant_id and delivery.id = old.id and delivery.state = 'waiting'
  `.execute(tx.db);
  return Number(numAffectedRows ?? 0n);
}
