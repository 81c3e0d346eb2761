import { type ChargeStatus, type FeedCounts, MAX_FEED_OFFSET } from '@jangada/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { Charge } from './payment.ts';
import { type ChargeRow, chargeColumns, chargeFrom } from './store.ts';

export type ChargeFilter = {
  readonly merchantId: number;
  readonly status: ChargeStatus | undefined;
  readonly from: Date | undefined;
  /** Exclusive. */
  readonly until: Date | undefined;
  readonly search:
    | { readonly by: 'amount'; readonly cents: number }
    | { readonly by: 'endToEndId'; readonly prefix: string }
    | { readonly by: 'id'; readonly hex: string }
    | { readonly by: 'externalId'; readonly externalId: string }
    | { readonly by: 'metadata'; readonly name: string; readonly value: string }
    | { readonly by: 'link' | 'counter'; readonly id: string }
    | { readonly by: 'nothing' }
    | undefined;
};

export type PageRequest = {
  readonly limit: number;
  readonly offset?: number;
  readonly after?: { readonly createdAt: Date; readonly id: string };
  readonly oldestFirst?: boolean;
};

/** No filter reads or counts more charges than this: nobody pages further, and reads must not grow with the table. */
export const MAX_COUNTED_CHARGES = MAX_FEED_OFFSET + 1;

const columns = sql.join(chargeColumns.map((column) => sql.ref(column)));
const otherColumns = sql.join(
  chargeColumns
    .filter((column) => !['merchant_id', 'id', 'created_at'].includes(column))
    .map((column) => sql.ref(column)),
);

/**
 * A page of a filter's results. For the whole feed, newest first, the offset is skipped by runs; otherwise it is
 * walked in the index alone. Only the rows of the page are fetched.
 */
export async function listCharges(db: Db, filter: ChargeFilter, place: PageRequest): Promise<Charge[]> {
  const { before, source } = sourceOf(filter, place.after);
  const [order, reaches] = place.oldestFirst === true ? [oldestFirst, sql`>=`] : [newestFirst, sql`<=`];
  const conditions = [...conditionsOf(filter)];
  if (place.after !== undefined) {
    conditions.push(sql`(created_at, id) < (${place.after.createdAt}, ${place.after.id}::uuid)`);
  }
  const found = sql.join(conditions, sql` and `);
  const from =
    place.offset === undefined || place.offset === 0
      ? sql``
      : sql`and (created_at, id) ${reaches} (${
          isWholeFeed(filter) && place.after === undefined && place.oldestFirst !== true
            ? rowBehindRuns(filter.merchantId, place.offset)
            : sql`select created_at, id from ${source} where ${found} order by ${order} limit 1 offset ${place.offset}`
        })`;
  const { rows } = await sql<ChargeRow>`
    ${before} select ${columns} from ${source} where ${found} ${from} order by ${order} limit ${sql.lit(place.limit)}
  `.execute(db);
  return rows.map(chargeFrom);
}

/** Whether a filter matches all charges of its merchant. */
export function isWholeFeed({ status, from, until, search }: ChargeFilter): boolean {
  return status === undefined && from === undefined && until === undefined && search === undefined;
}

/**
 * Finds the row at an offset among all charges of a merchant, newest first: whole runs are skipped by their counts,
 * and only the run that holds the row is walked.
 */
function rowBehindRuns(merchantId: number, offset: number): RawBuilder<unknown> {
  return sql`
    with skipped as materialized (
      select begins_at, charges
      from (
        select begins_at, sum(charges) over (order by begins_at desc)::bigint as charges
        from (
          select open_run_begins_at as begins_at, open_run_count as charges
          from merchant_counters where merchant_id = ${merchantId}
          union all (
            select begins_at, charges from charge_runs
            where merchant_id = ${merchantId} order by begins_at desc limit ${sql.lit(RUNS_SEEN)})
        ) run
      ) passed
      where charges <= ${offset} order by charges desc limit 1
    )
    select created_at, id from charges
    where merchant_id = ${merchantId} and created_at < coalesce((select begins_at from skipped), 'infinity')
    order by ${newestFirst}
    limit 1 offset ${offset} - coalesce((select charges from skipped), 0)`;
}

/** A run holds at least a thousand charges before it ends. */
const RUNS_SEEN = Math.ceil(MAX_FEED_OFFSET / 1000);

/** How many charges a filter matches, counted up to SEEN_AT_MOST. */
export async function countCharges(db: Db, filter: ChargeFilter): Promise<number> {
  const { before, source } = sourceOf(filter);
  // Without the order, a planner that hopes for an early match may scan the table from the start.
  const { rows } = await sql<{ found: number }>`
    ${before} select count(*) as found from (
      select from ${source} where ${sql.join([...conditionsOf(filter)], sql` and `)}
      order by ${newestFirst} limit ${sql.lit(MAX_COUNTED_CHARGES)}
    ) counted
  `.execute(db);
  return rows[0]?.found ?? 0;
}

const newestFirst = sql`created_at desc, id desc`;
const oldestFirst = sql`created_at asc, id asc`;

type Source = { readonly before: RawBuilder<unknown>; readonly source: RawBuilder<unknown> };

/**
 * Where rows are read from. What no index holds in the order of the feed is looked for first, by the index that finds
 * it, and put in order afterwards: in one statement, a plan that hopes to find it among the newest may read all that a
 * merchant has. It is materialized with all columns, so that no index that merely holds the others is read instead.
 */
function sourceOf(
  { merchantId, search, status, from, until }: ChargeFilter,
  after?: PageRequest['after'],
): Source {
  const found = (by: RawBuilder<unknown>, order: RawBuilder<unknown>): Source => ({
    before: sql`with found as materialized (
      select ${columns} from charges where merchant_id = ${merchantId} and ${by}
      order by ${order} limit ${sql.lit(MAX_COUNTED_CHARGES)})`,
    source: sql`found`,
  });
  if (search?.by === 'endToEndId') {
    const range = sql`end_to_end_id >= ${search.prefix} and end_to_end_id < ${`${search.prefix}~`}`;
    return found(range, sql`end_to_end_id desc`);
  }
  if (search?.by === 'id') {
    const [first, last] = [search.hex.padEnd(32, '0'), search.hex.padEnd(32, 'f')];
    return found(sql`id between ${first}::uuid and ${last}::uuid`, sql`id`);
  }
  if (search?.by === 'externalId') return found(sql`external_id = ${search.externalId}`, newestFirst);
  /** Named by the rows of another table, which lead to charges by their keys. */
  const pointedAt = (table: RawBuilder<unknown>, by: RawBuilder<unknown>): Source => {
    const place =
      after === undefined
        ? sql``
        : sql`and (created_at, charge_id) < (${after.createdAt}, ${after.id}::uuid)`;
    const begin = from === undefined ? sql`` : sql`and created_at >= ${from}`;
    const end = until === undefined ? sql`` : sql`and created_at < ${until}`;
    // By columns of that table, whose index has the order of the feed: only what the page takes is fetched, each by its
    // key (offset 0: a status is not looked for first).
    const source = sql`(
      select pointing.merchant_id, pointing.charge_id as id, pointing.created_at, ${otherColumns}
      from (
        select merchant_id, charge_id, created_at from ${table}
        where merchant_id = ${merchantId} and ${by} ${place} ${begin} ${end}
        order by created_at desc, charge_id desc limit ${sql.lit(MAX_COUNTED_CHARGES)}
      ) pointing
      cross join lateral (
        select ${otherColumns} from charges where merchant_id = ${merchantId} and id = pointing.charge_id offset 0
      ) charge) found`;
    return { before: sql``, source };
  };
  if (search?.by === 'metadata')
    return pointedAt(sql`charge_metadata`, sql`name = ${search.name} and value = ${search.value}`);
  if (search?.by === 'link') return pointedAt(sql`charge_options`, sql`link_id = ${search.id}`);
  if (search?.by === 'counter') return pointedAt(sql`charge_options`, sql`counter_id = ${search.id}`);
  if (search?.by === 'amount' && status !== undefined) {
    return found(sql`amount_cents = ${search.cents}`, newestFirst);
  }
  return { before: sql``, source: sql`charges` };
}

function* conditionsOf(filter: ChargeFilter): Generator<RawBuilder<unknown>> {
  yield sql`merchant_id = ${filter.merchantId}`;
  if (filter.status !== undefined) yield sql`status = ${filter.status}`;
  if (filter.from !== undefined) yield sql`created_at >= ${filter.from}`;
  if (filter.until !== undefined) yield sql`created_at < ${filter.until}`;
  if (filter.search?.by === 'amount') yield sql`amount_cents = ${filter.search.cents}`;
  if (filter.search?.by === 'nothing') yield sql`false`;
}

/** A merchant's charges by status, from counters. */
export async function readCounts(db: Db, merchantId: number): Promise<FeedCounts> {
  const row = await db
    .selectFrom('merchant_counters')
    .select(['pending_count', 'paid_count', 'expired_count', 'refunded_count', 'error_count'])
    .where('merchant_id', '=', merchantId)
    .executeTakeFirstOrThrow();
  const counts = {
    pending: row.pending_count,
    paid: row.paid_count,
    expired: row.expired_count,
    refunded: row.refunded_count,
    error: row.error_count,
  };
  return { all: Object.values(counts).reduce((sum, count) => sum + count, 0), ...counts };
}
