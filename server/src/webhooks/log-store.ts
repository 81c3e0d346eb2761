import type { WebhookDelivery } from '@jangada/contract';
import { sql } from 'kysely';
import { rowsById, textArray } from '../db/arrays.ts';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';
import { MAX_ROWS_SCANNED } from '../list-cursor.ts';
import type { DeliveryState } from './delivery.ts';
import type { StoredAttempt } from './delivery-store.ts';
import { DELIVERY_LIFETIME_MS } from './retry-schedule.ts';
import { eventIdOfDelivery } from './write-events.ts';

/*
 * SQL of the delivery log, in which merchants see what was sent to their systems. A delivery of a new event has a row
 * only after its first attempt; until then the function `untried_deliveries` derives it from the log of events.
 */

/** A delivery as shown in the log. One that waits for an endpoint that is off is `held`. */
export type LoggedDelivery = {
  readonly id: string;
  readonly type: string;
  /** The charge, withdrawal or dispute that the event is about. */
  readonly subjectId: string;
  /** Null for a callback URL. */
  readonly endpointId: string | null;
  readonly url: string;
  readonly state: DeliveryState | 'held';
  readonly attempts: number;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly dueAt: Date;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
};

export type DeliveryLogQuery = {
  readonly merchantId: number;
  /** An endpoint's id, or `callback` for callback URLs. */
  readonly endpoint?: string | 'callback' | undefined;
  readonly type?: string | undefined;
  readonly state?: WebhookDelivery['state'] | undefined;
  readonly subjectId?: string | undefined;
  /** The id of the last delivery of the previous page. */
  readonly before?: string | undefined;
  readonly limit: number;
};

/** The endpoint of a stored delivery; null for a callback URL, whose receiver contains a colon. */
const endpointIdColumn = sql`case when delivery.receiver not like '%:%' then delivery.receiver::uuid end`;
/** Whether the receiver of a stored delivery is an endpoint that is off. */
const isEndpointOff = sql`exists (
  select from webhook_endpoints endpoint
  where endpoint.merchant_id = delivery.merchant_id and endpoint.id::text = delivery.receiver and endpoint.state = 'off')`;
/** The columns of a stored delivery. */
const storedColumns = sql`
  delivery.id, delivery.type, delivery.subject_id as "subjectId", ${endpointIdColumn} as "endpointId", delivery.url,
  case when delivery.state = 'waiting' and ${isEndpointOff} then 'held' else delivery.state end as state,
  jsonb_array_length(delivery.attempts) as attempts, (delivery.attempts -> -1 ->> 'status')::int as "lastStatus",
  delivery.attempts -> -1 ->> 'error' as "lastError", delivery.due_at as "dueAt",
  delivery.created_at as "createdAt", delivery.finished_at as "finishedAt"`;
/** The columns of a delivery that was not tried yet and so has no row, in the order of `storedColumns`. */
const untriedColumns = sql`
  delivery.id, delivery.type, delivery.subject_id, delivery.endpoint_id, delivery.url, delivery.state,
  0, null::int, null::text, delivery.created_at, delivery.created_at, null::timestamptz`;

/**
 * A merchant's deliveries, newest first. To limit the rows scanned, a filter by type or receiver considers only the
 * newest `maxScanned` stored deliveries. Of the deliveries not tried yet, at most `maxScanned` of each receiver are
 * listed.
 */
export async function selectDeliveryLog(
  db: Db,
  query: DeliveryLogQuery,
  now: Date,
  maxScanned: number = MAX_ROWS_SCANNED,
): Promise<LoggedDelivery[]> {
  const { endpoint, type, limit } = query;
  const isFiltered = endpoint !== undefined || type !== undefined;
  const filter = sql.join(
    [
      sql`true`,
      ...(endpoint === undefined
        ? []
        : [endpoint === 'callback' ? sql`"endpointId" is null` : sql`"endpointId" = ${endpoint}`]),
      ...(type === undefined ? [] : [sql`type = ${type}`]),
    ],
    sql` and `,
  );
  const { rows } = await sql<LoggedDelivery>`
    select * from (
    (select * from (
       select ${storedColumns} from webhook_deliveries delivery
       where delivery.merchant_id = ${query.merchantId} and ${stateCondition(query.state)} and ${pageCondition(query)}
       order by delivery.created_at desc, delivery.id desc limit ${isFiltered ? maxScanned : limit}
     ) looked where ${filter} order by "createdAt" desc, id collate "C" desc limit ${limit})
    union all
    (select * from (
       select ${untriedColumns} from untried_deliveries(${query.merchantId}, ${oldestSendable(now)}, ${maxScanned}) delivery
       where ${query.state === undefined ? sql`true` : sql`delivery.state = ${query.state}`} and ${pageCondition(query)}
     ) looked (id, type, "subjectId", "endpointId", url, state, attempts, "lastStatus", "lastError", "dueAt", "createdAt",
               "finishedAt")
     where ${filter} order by "createdAt" desc, id collate "C" desc limit ${limit})
    ) listed
    order by "createdAt" desc, id collate "C" desc
    limit ${limit}
  `.execute(db);
  return rows;
}

/** Events created before this moment are not sent any more. */
function oldestSendable(now: Date): Date {
  return new Date(now.getTime() - DELIVERY_LIFETIME_MS);
}

/** The last stored delivery scanned by a filtered query; undefined if it reached the end of the log. */
export async function findLastScannedDelivery(
  db: Db,
  query: DeliveryLogQuery,
  maxScanned: number = MAX_ROWS_SCANNED,
): Promise<string | undefined> {
  if (query.endpoint === undefined && query.type === undefined) return undefined;
  const { rows } = await sql<{ id: string }>`
    select id from webhook_deliveries delivery
    where delivery.merchant_id = ${query.merchantId} and ${stateCondition(query.state)} and ${pageCondition(query)}
    order by created_at desc, id desc limit 1 offset ${maxScanned - 1}
  `.execute(db);
  return rows[0]?.id;
}

/** The conditions for the subject and the page, both of which an index serves. */
function pageCondition({ merchantId, subjectId, before }: DeliveryLogQuery) {
  const conditions = [
    sql`true`,
    ...(subjectId === undefined ? [] : [subjectCondition(subjectId)]),
    ...(before === undefined
      ? []
      : [
          sql`(delivery.created_at, delivery.id) < (
            select created_at, ${before}::text from (
              select created_at from webhook_deliveries where merchant_id = ${merchantId} and id = ${before}
              union all
              select created_at from events where merchant_id = ${merchantId} and id = ${eventIdOfDelivery(before)}
            ) known limit 1)`,
        ]),
  ];
  return sql.join(conditions, sql` and `);
}

/**
 * Delivery ids begin with the id of their subject and an underscore, so the deliveries of one subject are one range of
 * the index. In ASCII, the backtick follows the underscore.
 */
function subjectCondition(subjectId: string) {
  const subjectPrefix = `evt_${subjectId.replaceAll('-', '').toLowerCase()}`;
  return sql`delivery.id >= ${`${subjectPrefix}_`} and delivery.id < ${`${subjectPrefix}\``}`;
}

function stateCondition(state: WebhookDelivery['state'] | undefined) {
  if (state === undefined) return sql`true`;
  if (state === 'failed') return sql`delivery.state in ('exhausted', 'gone')`;
  if (state === 'held') return sql`delivery.state = 'waiting' and ${isEndpointOff}`;
  if (state === 'waiting') return sql`delivery.state = 'waiting' and not ${isEndpointOff}`;
  return sql`delivery.state = ${state}`;
}

export type DeliveryWithAttempts = LoggedDelivery & {
  /** The event's body; null if the event was deleted. A test delivery has no event, so it stores its own body. */
  readonly body: string | null;
  /** The attempts, oldest first. */
  readonly log: readonly StoredAttempt[];
};

/** One delivery with its body and attempts. */
export async function selectDelivery(
  db: Db | Tx['db'],
  merchantId: number,
  id: string,
  now: Date,
): Promise<DeliveryWithAttempts | undefined> {
  const { rows } = await sql<DeliveryWithAttempts>`
    select delivery.*, coalesce(own_body, event.body) as body
    from (
      select ${storedColumns}, delivery.body as own_body, delivery.attempts as log
      from webhook_deliveries delivery where merchant_id = ${merchantId} and id = ${id}
      union all
      select ${untriedColumns}, null, '[]'
      from untried_deliveries(${merchantId}, ${oldestSendable(now)}, ${MAX_ROWS_SCANNED}) delivery where id = ${id}
      limit 1
    ) delivery
    left join events event on event.merchant_id = ${merchantId} and event.id = ${eventIdOfDelivery(id)}
  `.execute(db);
  return rows[0];
}

/** An attempt to deliver an event about a charge, a withdrawal or a dispute. */
export type AttemptOfSubject = {
  /** The id of the delivery. */
  readonly id: string;
  readonly type: string;
  readonly url: string;
  /** Counts the attempts of a delivery from 1. */
  readonly number: number;
  readonly at: Date;
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: string | null;
};

/** The first attempts to deliver events about a charge, a withdrawal or a dispute, oldest first. */
export async function selectAttemptsOf(
  db: Db,
  merchantId: number,
  subjectId: string,
  limit: number,
): Promise<AttemptOfSubject[]> {
  const { rows } = await sql<AttemptOfSubject>`
    select delivery.id, type, url, number::int, attempt.at, "durationMs", status, error
    from webhook_deliveries delivery
    cross join lateral rows from (
      jsonb_to_recordset(attempts) as (at timestamptz, "durationMs" integer, status integer, error text)
    ) with ordinality attempt (at, "durationMs", status, error, number)
    where merchant_id = ${merchantId} and ${subjectCondition(subjectId)}
    order by attempt.at limit ${limit}
  `.execute(db);
  return rows;
}

/** A delivery to resend, and the reasons for which it cannot be resent. */
export type ResendCandidate = {
  readonly id: string;
  /** Its event is too old to be resent, or was deleted. */
  readonly isForgotten: boolean;
  /** Its endpoint is off or was removed. */
  readonly isOff: boolean;
};

/** Events created before `keptSince` are too old to be resent. */
export async function selectResendCandidates(
  tx: Tx,
  merchantId: number,
  ids: readonly string[],
  keptSince: Date,
): Promise<ResendCandidate[]> {
  const { rows } = await sql<ResendCandidate>`
    select delivery.id,
           delivery.body is null and coalesce(event.created_at < ${keptSince}, true) as "isForgotten",
           delivery.receiver not like '%:%' and endpoint.state is distinct from 'on' as "isOff"
    from ${deliveriesSql(tx, merchantId, ids)} delivery
    left join events event
      on event.merchant_id = ${merchantId} and event.id = split_part(delivery.id, '.', 1)
    left join webhook_endpoints endpoint
      on endpoint.merchant_id = ${merchantId} and endpoint.id::text = delivery.receiver
  `.execute(tx.db);
  return rows;
}

/** The deliveries with these ids: stored ones, and those that were not tried yet and so have no row. */
function deliveriesSql(tx: Tx, merchantId: number, ids: readonly string[]) {
  const storedDelivery = sql`
    select id, type, subject_id, receiver, url, body from webhook_deliveries
    where merchant_id = ${merchantId} and id = wanted.id`;
  return sql`(
    select found.* from ${rowsById(ids, 'text', storedDelivery)}
    union all
    select id, type, subject_id, coalesce(endpoint_id::text, substring(url from '^[a-z]+://[^/?#]+')), url, null
    from untried_deliveries(${merchantId}, ${oldestSendable(tx.now)}, ${MAX_ROWS_SCANNED})
    where id = any(${textArray(ids)}::text[]))`;
}

/** A delivery to resend (`of`) and the id of the new delivery. */
export type Resending = { readonly originalId: string; readonly id: string };

/** Writes new deliveries of the same events to the same receivers, at their current addresses. */
export async function insertResent(
  tx: Tx,
  merchantId: number,
  resendings: readonly Resending[],
): Promise<void> {
  const originalIds = resendings.map((resending) => resending.originalId);
  const newIds = resendings.map((resending) => resending.id);
  await sql`
    insert into webhook_deliveries (merchant_id, id, type, subject_id, url, receiver, body, due_at, created_at)
    select ${merchantId}, resent.id, delivery.type, delivery.subject_id, coalesce(endpoint.url, delivery.url),
           delivery.receiver, delivery.body, ${tx.now}::timestamptz, ${tx.now}::timestamptz
    from unnest(${originalIds}::text[], ${newIds}::text[]) resent (of_id, id)
    join ${deliveriesSql(tx, merchantId, originalIds)} delivery on delivery.id = resent.of_id
    left join webhook_endpoints endpoint
      on endpoint.merchant_id = ${merchantId} and endpoint.id::text = delivery.receiver
  `.execute(tx.db);
}

/** The finished deliveries to resend: those of one receiver that were created from `from` until before `to`. */
export type ResendPeriod = {
  readonly merchantId: number;
  /** An endpoint's id, or `callback` for all callback URLs. */
  readonly endpoint: string | 'callback';
  readonly from: Date;
  readonly to: Date;
  readonly state: 'failed' | 'delivered';
  readonly limit: number;
};

/**
 * The original deliveries of a period that ended in this state, oldest first. Excludes failed ones that have since been
 * resent, unless the resent delivery failed too. The id of a resent delivery is the original's, then a dot (for a
 * callback address `.cb.`) and a random suffix; in ASCII, `/` follows the dot.
 */
export async function selectDeliveriesInPeriod(
  tx: Tx,
  { merchantId, endpoint, from, to, state, limit }: ResendPeriod,
): Promise<{ readonly id: string; readonly createdAt: Date }[]> {
  const { rows } = await sql<{ id: string; createdAt: Date }>`
    select id, created_at as "createdAt" from webhook_deliveries delivery
    where merchant_id = ${merchantId} and ${stateCondition(state)}
      and ${endpoint === 'callback' ? sql`receiver like '%:%'` : sql`receiver = ${endpoint}`}
      and created_at >= ${from} and created_at < ${to} and split_part(id, '.', 3) = ''
      and (${state === 'delivered'} or not exists (
        select from webhook_deliveries again
        where again.merchant_id = ${merchantId} and again.state not in ('exhausted', 'gone')
          and again.id >= delivery.id || ${endpoint === 'callback' ? '.cb.' : '.'}
          and again.id < delivery.id || ${endpoint === 'callback' ? '.cb/' : '/'}))
    order by created_at, id limit ${limit}
  `.execute(tx.db);
  return rows;
}

/** A delivery of a `webhook.test` to an endpoint, at the merchant's request. */
export type NewTestDelivery = {
  readonly merchantId: number;
  readonly id: string;
  readonly endpointId: string;
  readonly url: string;
  readonly body: object;
};

/** Stores a test delivery with its own body, because no event exists for it. */
export async function insertTestDelivery(
  tx: Tx,
  { merchantId, id, endpointId, url, body }: NewTestDelivery,
): Promise<void> {
  await sql`
    insert into webhook_deliveries
      (merchant_id, id, type, subject_id, url, receiver, body, due_at, created_at)
    values (${merchantId}, ${id}, 'webhook.test', ${endpointId}, ${url}, ${endpointId}, ${JSON.stringify(body)}, ${tx.now}, ${tx.now})
  `.execute(tx.db);
}
