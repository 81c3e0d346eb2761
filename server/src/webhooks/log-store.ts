import type { WebhookDelivery } from '@jangada/contract';
import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';
import { MAX_ROWS_SCANNED } from '../list-cursor.ts';
import type { DeliveryState, ReceiverOrigin } from './delivery.ts';

/** A delivery as shown in the log, with the result of its last attempt. */
export type LoggedDelivery = {
  readonly id: string;
  readonly type: string;
  readonly subjectId: string;
  readonly endpointId: string | null;
  readonly url: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly dueAt: Date;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
};

export type LogQuery = {
  readonly merchantId: number;
  /** An endpoint's id, or `callback` for callback URLs. */
  readonly endpoint?: string | 'callback' | undefined;
  readonly type?: string | undefined;
  readonly state?: WebhookDelivery['state'] | undefined;
  readonly subjectId?: string | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
};

const logged = sql`
  delivery.id, delivery.type, delivery.subject_id as "subjectId", delivery.endpoint_id as "endpointId", delivery.url,
  delivery.state, delivery.attempts, last.status as "lastStatus", last.error as "lastError",
  delivery.due_at as "dueAt", delivery.created_at as "createdAt", delivery.finished_at as "finishedAt"`;
const lastAttempt = sql`
  left join lateral (
    select status, error from webhook_attempts attempt
    where attempt.merchant_id = delivery.merchant_id and attempt.delivery_id = delivery.id
    order by number desc limit 1
  ) last on true`;

/** A merchant's deliveries, newest first; a filter by type or receiver applies to the first `lookedAt` only. */
export async function selectLog(
  db: Db,
  query: LogQuery,
  lookedAt: number = MAX_ROWS_SCANNED,
): Promise<LoggedDelivery[]> {
  const { endpoint, type, limit } = query;
  const wanted = [
    ...(endpoint === undefined ? [] : [isOf(endpoint)]),
    ...(type === undefined ? [] : [sql`delivery.type = ${type}`]),
  ];
  const { rows } = await sql<LoggedDelivery>`
    select ${logged}
    from (
      select * from webhook_deliveries delivery where ${mayBeLookedAt(query)}
      order by created_at desc, id desc limit ${wanted.length === 0 ? limit : lookedAt}
    ) delivery ${lastAttempt}
    where ${wanted.length === 0 ? sql`true` : sql.join(wanted, sql` and `)}
    order by delivery.created_at desc, delivery.id desc
    limit ${limit}
  `.execute(db);
  return rows;
}

/** The last delivery scanned by a filtered query; undefined if it reached the end of the log. */
export async function findLastScannedDelivery(
  db: Db,
  query: LogQuery,
  lookedAt: number = MAX_ROWS_SCANNED,
): Promise<string | undefined> {
  if (query.endpoint === undefined && query.type === undefined) return undefined;
  const { rows } = await sql<{ id: string }>`
    select id from webhook_deliveries delivery where ${mayBeLookedAt(query)}
    order by created_at desc, id desc limit 1 offset ${lookedAt - 1}
  `.execute(db);
  return rows[0]?.id;
}

/** Conditions served by an index. Ids begin with their subject, so its deliveries are adjacent. */
function mayBeLookedAt({ merchantId, state, subjectId, before }: LogQuery) {
  const story = subjectId === undefined ? '' : `evt_${subjectId.replaceAll('-', '').toLowerCase()}`;
  const conditions = [
    sql`delivery.merchant_id = ${merchantId}`,
    ...(state === undefined ? [] : [isIn(state)]),
    ...(subjectId === undefined
      ? []
      : [sql`delivery.id >= ${`${story}_`} and delivery.id < ${`${story}\``}`]),
    ...(before === undefined
      ? []
      : [
          sql`(delivery.created_at, delivery.id) < (
            select created_at, id from webhook_deliveries where merchant_id = ${merchantId} and id = ${before})`,
        ]),
  ];
  return sql.join(conditions, sql` and `);
}

function isOf(endpoint: string) {
  return endpoint === 'callback'
    ? sql`delivery.endpoint_id is null`
    : sql`delivery.endpoint_id = ${endpoint}`;
}

function isIn(state: WebhookDelivery['state']) {
  return state === 'failed' ? sql`delivery.state in ('exhausted', 'gone')` : sql`delivery.state = ${state}`;
}

export type LoggedBody = LoggedDelivery & { readonly body: string | null };

/** One delivery with its body; null if its event was deleted. */
export async function selectDelivery(
  db: Db | Tx['db'],
  merchantId: number,
  id: string,
): Promise<LoggedBody | undefined> {
  const { rows } = await sql<LoggedBody>`
    select ${logged}, coalesce(delivery.body, event.body) as body
    from webhook_deliveries delivery ${lastAttempt}
    left join events event
      on event.merchant_id = delivery.merchant_id and event.id = split_part(delivery.id, '.', 1)
    where delivery.merchant_id = ${merchantId} and delivery.id = ${id}
  `.execute(db);
  return rows[0];
}

export type LoggedAttempt = {
  readonly number: number;
  readonly at: Date;
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly answer: string | null;
  readonly headers: Record<string, string> | null;
};

export async function selectAttempts(db: Db, merchantId: number, id: string): Promise<LoggedAttempt[]> {
  const { rows } = await sql<LoggedAttempt>`
    select number, at, duration_ms as "durationMs", status, error, answer, headers
    from webhook_attempts where merchant_id = ${merchantId} and delivery_id = ${id} order by number
  `.execute(db);
  return rows;
}

/** A delivery to resend, and what prevents it. */
export type Resendable = {
  readonly id: string;
  readonly isForgotten: boolean;
  /** Its endpoint is off or was removed. */
  readonly isOff: boolean;
};

export async function selectResendable(
  tx: Tx,
  merchantId: number,
  ids: readonly string[],
  keptSince: Date,
): Promise<Resendable[]> {
  const { rows } = await sql<Resendable>`
    select delivery.id,
           delivery.body is null and coalesce(event.created_at < ${keptSince}, true) as "isForgotten",
           delivery.endpoint_id is not null and endpoint.state is distinct from 'on' as "isOff"
    from unnest(${[...ids]}::text[]) asked (id)
    join webhook_deliveries delivery on delivery.merchant_id = ${merchantId} and delivery.id = asked.id
    left join events event
      on event.merchant_id = delivery.merchant_id and event.id = split_part(delivery.id, '.', 1)
    left join webhook_endpoints endpoint
      on endpoint.merchant_id = delivery.merchant_id and endpoint.id = delivery.endpoint_id
  `.execute(tx.db);
  return rows;
}

/** A delivery to resend (`of`) and the id of the new delivery. */
export type Resending = { readonly of: string; readonly id: string };

/** Writes new deliveries of the same events to the same receivers, at their current addresses. Returns their lanes. */
export async function insertResent(
  tx: Tx,
  merchantId: number,
  resent: readonly Resending[],
): Promise<ReceiverOrigin[]> {
  const { rows } = await sql<{ endpoint: string }>`
    insert into webhook_deliveries
      (merchant_id, id, type, subject_id, url, endpoint, endpoint_id, body, due_at, created_at)
    select delivery.merchant_id, resent.id, delivery.type, delivery.subject_id,
           coalesce(receiver.url, delivery.url), coalesce(receiver.origin, delivery.endpoint), delivery.endpoint_id,
           delivery.body, ${tx.now}::timestamptz, ${tx.now}::timestamptz
    from unnest(${resent.map((one) => one.of)}::text[], ${resent.map((one) => one.id)}::text[]) resent (of_id, id)
    join webhook_deliveries delivery on delivery.merchant_id = ${merchantId} and delivery.id = resent.of_id
    left join webhook_endpoints receiver
      on receiver.merchant_id = delivery.merchant_id and receiver.id = delivery.endpoint_id
    returning endpoint
  `.execute(tx.db);
  return rows.map(({ endpoint }) => ({ merchantId, endpoint }));
}

export type ResendPeriod = {
  readonly merchantId: number;
  readonly endpoint: string | 'callback';
  readonly from: Date;
  readonly to: Date;
  readonly state: 'failed' | 'delivered';
  readonly limit: number;
};

/**
 * Original deliveries of a period that ended in this state, oldest first. Excludes failed ones that were resent since
 * and are delivered, waiting or in progress by now.
 */
export async function selectPeriod(
  tx: Tx,
  { merchantId, endpoint, from, to, state, limit }: ResendPeriod,
): Promise<{ readonly id: string; readonly createdAt: Date }[]> {
  const { rows } = await sql<{ id: string; createdAt: Date }>`
    select id, created_at as "createdAt" from webhook_deliveries delivery
    where merchant_id = ${merchantId} and ${isOf(endpoint)} and ${isIn(state)}
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

export type NewTest = {
  readonly merchantId: number;
  readonly id: string;
  readonly endpointId: string;
  readonly url: string;
  readonly body: object;
};

/** A test delivery carries its own body: there is no event behind it. */
export async function insertTest(tx: Tx, { merchantId, id, endpointId, url, body }: NewTest): Promise<void> {
  await sql`
    insert into webhook_deliveries
      (merchant_id, id, type, subject_id, url, endpoint, endpoint_id, body, due_at, created_at)
    values (${merchantId}, ${id}, 'webhook.test', ${endpointId}, ${url}, ${new URL(url).origin}, ${endpointId},
            ${JSON.stringify(body)}, ${tx.now}, ${tx.now})
  `.execute(tx.db);
}
