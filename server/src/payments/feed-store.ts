import { type ChargeStatus, type FeedCounts, MAX_FEED_OFFSET } from '@jangada/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import { firstTimeIdAt } from '../time-id.ts';
import type { Charge } from './payment.ts';
import { type ChargeRow, chargeColumns, chargeFrom } from './store.ts';

/** Which of a merchant's charges a list (the feed) shows; an undefined field does not restrict the list. */
export type ChargeFilter = {
  readonly merchantId: number;
  readonly status: ChargeStatus | undefined;
  readonly from: Date | undefined;
  /** Exclusive. */
  readonly until: Date | undefined;
  readonly search:
    | { readonly by: 'amount'; readonly cents: number }
    | { readonly by: 'endToEndId'; readonly prefix: string }
    /** The first hexadecimal digits of the charge's id, without hyphens. */
    | { readonly by: 'id'; readonly hex: string }
    | { readonly by: 'externalId'; readonly externalId: string }
    | { readonly by: 'metadata'; readonly name: string; readonly value: string }
    | { readonly by: 'link' | 'counter' | 'customer'; readonly id: string }
    /** The charges that a member created who is no owner. */
    | { readonly by: 'member'; readonly userId: number }
    /** Matches no charge. */
    | { readonly by: 'nothing' }
    | undefined;
};

export type PageRequest = {
  readonly limit: number;
  readonly offset?: number;
  /** The last charge of the previous page. */
  readonly after?: { readonly id: string };
  readonly oldestFirst?: boolean;
};

/**
 * A filtered list reads or counts at most this many charges, to bound its cost. No page can begin at a higher offset.
 */
export const MAX_COUNTED_CHARGES = MAX_FEED_OFFSET + 1;

/** All columns of which a charge is made. */
const columns = sql.join(chargeColumns.map((column) => sql.ref(column)));
/** The columns that are not part of a charge's key. */
const otherColumns = sql.join(
  chargeColumns.filter((column) => !['merchant_id', 'id'].includes(column)).map((column) => sql.ref(column)),
);

/**
 * Reads a page of the charges that a filter matches. An offset is first resolved to the row at which the page begins,
 * so that only the page's own rows are fetched from the table. In the list of all charges, newest first, stored counts
 * lead to that row (see `rowAtOffset`); in any other list, only an index is read to find it.
 */
export async function listCharges(db: Db, filter: ChargeFilter, page: PageRequest): Promise<Charge[]> {
  const { withClause, source, keys } = sourceOf(filter, page);
  const [order, comparison] = page.oldestFirst === true ? [oldestFirst, sql`>=`] : [newestFirst, sql`<=`];
  const matches = conditionsOf(filter, page.after);
  const canSkipRuns = isUnfiltered(filter) && page.after === undefined && page.oldestFirst !== true;
  const firstRowOfPage = (offset: number) =>
    canSkipRuns
      ? rowAtOffset(filter.merchantId, offset)
      : sql`select id from ${keys?.rows ?? source} where ${keys?.matches ?? matches}
            order by ${order} limit 1 offset ${offset}`;
  const offsetCondition =
    page.offset === undefined || page.offset === 0
      ? sql``
      : sql`and id ${comparison} (${firstRowOfPage(page.offset)})`;
  const { rows } = await sql<ChargeRow>`
    ${withClause} select ${columns} from ${source} where ${matches} ${offsetCondition}
    order by ${order} limit ${sql.lit(page.limit)}
  `.execute(db);
  return rows.map(chargeFrom);
}

/** Whether a filter matches all charges of its merchant. */
export function isUnfiltered({ status, from, until, search }: ChargeFilter): boolean {
  return status === undefined && from === undefined && until === undefined && search === undefined;
}

/**
 * Finds the row at an offset among all charges of a merchant, newest first. A run is a block of consecutive charges
 * whose count is stored (`charge_runs`; the newest run is still open and counted in `merchant_counters`). Whole runs
 * are skipped by their counts, and only the run that holds the row is walked.
 */
function rowAtOffset(merchantId: number, offset: number): RawBuilder<unknown> {
  return sql`
    with skipped as materialized (
      select after_id, charges
      from (
        select after_id, sum(charges) over (order by after_id desc)::bigint as charges
        from (
          select open_run_after as after_id, open_run_count as charges
          from merchant_counters where merchant_id = ${merchantId}
          union all (
            select after_id, charges from charge_runs
            where merchant_id = ${merchantId} order by after_id desc limit ${sql.lit(MAX_RUNS)})
        ) run
      ) passed
      where charges <= ${offset} order by charges desc limit 1
    )
    select id from charges
    where merchant_id = ${merchantId}
      and id <= coalesce((select after_id from skipped), 'ffffffff-ffff-ffff-ffff-ffffffffffff')
    order by ${newestFirst}
    limit 1 offset ${offset} - coalesce((select charges from skipped), 0)`;
}

/** The most closed runs that an offset can skip: each closed run has at least a thousand charges. */
const MAX_RUNS = Math.ceil(MAX_FEED_OFFSET / 1000);

/** Counts the charges that a filter matches, up to MAX_COUNTED_CHARGES. */
export async function countCharges(db: Db, filter: ChargeFilter): Promise<number> {
  const { withClause, source, keys } = sourceOf(filter);
  // The order does not affect the count. Without it, the planner may expect to reach the limit early, and then scans
  // the table instead of an index.
  const { rows } = await sql<{ count: number }>`
    ${withClause} select count(*) as count from (
      select 1 from ${keys?.rows ?? source} where ${keys?.matches ?? conditionsOf(filter)}
      order by ${newestFirst} limit ${sql.lit(MAX_COUNTED_CHARGES)}
    ) counted
  `.execute(db);
  return rows[0]?.count ?? 0;
}

// Ids sort by time, because each begins with the moment at which its charge was created.
const newestFirst = sql`id desc`;
const oldestFirst = sql`id asc`;

/** Where a query reads charges: a table or subquery (`source`), and the `with` clause that the subquery needs. */
type Source = {
  readonly withClause: RawBuilder<unknown>;
  readonly source: RawBuilder<unknown>;
  /**
   * Set if another table's index suffices to find and count matches, without reading charges: its `rows`, and the
   * condition on them.
   */
  readonly keys?: { readonly rows: RawBuilder<unknown>; readonly matches: RawBuilder<unknown> };
};

/**
 * Chooses where to read the charges from, so that an index finds the matches of every filter. Some indexes do not hold
 * their matches in the order of the feed. Those matches are first collected in a materialized `with` clause and sorted
 * afterwards: in a single select, the planner may expect to find matches among the newest charges, and then reads all
 * charges of the merchant. The clause selects all columns: for a few columns, the planner might prefer a different
 * index that contains just those.
 */
function sourceOf(filter: ChargeFilter, page: Partial<PageRequest> = {}): Source {
  const { merchantId, search, status } = filter;
  const findThrough = (table: RawBuilder<unknown>, condition: RawBuilder<unknown>) =>
    sourceThroughTable(filter, page, table, condition);
  if (search?.by === 'endToEndId') return sourceByEndToEndId(merchantId, search.prefix);
  if (search?.by === 'externalId') return collectMatches(merchantId, sql`external_id = ${search.externalId}`);
  if (search?.by === 'metadata')
    return findThrough(sql`charge_metadata`, sql`name = ${search.name} and value = ${search.value}`);
  if (search?.by === 'link') return findThrough(sql`charge_options`, sql`payment_link_id = ${search.id}`);
  if (search?.by === 'member') return findThrough(sql`charge_options`, sql`created_by = ${search.userId}`);
  if (search?.by === 'customer') return findThrough(sql`charge_options`, sql`customer_id = ${search.id}`);
  if (search?.by === 'counter') return findThrough(sql`charge_options`, sql`counter_code_id = ${search.id}`);
  if (search === undefined && status === 'pending') return findThrough(sql`open_charges`, sql`true`);
  if (search === undefined && status !== undefined)
    return findThrough(sql`ended_charges`, sql`status = ${status}`);
  if (search?.by === 'amount' && status !== undefined)
    return collectMatches(merchantId, sql`amount_cents = ${search.cents}`);
  if (search?.by === 'id' && status !== undefined)
    return collectMatches(merchantId, idBeginsWith(search.hex));
  return { withClause: sql``, source: sql`charges` };
}

/** Collects the charges that meet a condition in a `with` clause, before the query sorts them. */
function collectMatches(merchantId: number, condition: RawBuilder<unknown>): Source {
  return {
    withClause: sql`with found as materialized (
      select ${columns} from charges where merchant_id = ${merchantId} and ${condition}
      order by ${newestFirst} limit ${sql.lit(MAX_COUNTED_CHARGES)})`,
    source: sql`found`,
  };
}

/** Collects the charges paid by the Pix whose endToEndId (the nationwide id of a Pix) begins with `prefix`. */
function sourceByEndToEndId(merchantId: number, prefix: string): Source {
  // `~` sorts after every character of an endToEndId.
  const ids = sql`(
      select charge_id from received_pix
      where merchant_id = ${merchantId} and charge_id is not null
        and end_to_end_id >= ${prefix} and end_to_end_id < ${`${prefix}~`}
      order by end_to_end_id desc limit ${sql.lit(MAX_COUNTED_CHARGES)})`;
  return {
    withClause: sql`with found as materialized (
        select charge.* from ${ids} pix
        cross join lateral (
          select ${columns} from charges where merchant_id = ${merchantId} and id = pix.charge_id offset 0
        ) charge)`,
    source: sql`found`,
  };
}

/**
 * Finds charges through another table, whose rows refer to charges. That table alone decides which charges match,
 * except for a search combined with a status: then the status of each charge has to be read too.
 */
function sourceThroughTable(
  filter: ChargeFilter,
  { after, oldestFirst: isAscending }: Partial<PageRequest>,
  table: RawBuilder<unknown>,
  condition: RawBuilder<unknown>,
): Source {
  const { merchantId, search, status, from, until } = filter;
  const direction = isAscending === true ? sql`asc` : sql`desc`;
  const cursorCondition = after === undefined ? sql`` : sql`and charge_id < ${after.id}::uuid`;
  const fromCondition = from === undefined ? sql`` : sql`and charge_id >= ${firstTimeIdAt(from)}::uuid`;
  const untilCondition = until === undefined ? sql`` : sql`and charge_id < ${firstTimeIdAt(until)}::uuid`;
  // The other table's index has the order of the feed, so only the page's charges are fetched, each by its key. `offset
  // 0` keeps the planner from moving the status condition into the lookup and searching by status first.
  const source = sql`(
      select reference.merchant_id, reference.charge_id as id, ${otherColumns}
      from (
        select merchant_id, charge_id from ${table}
        where merchant_id = ${merchantId} and ${condition} ${cursorCondition} ${fromCondition} ${untilCondition}
        order by charge_id ${direction} limit ${sql.lit(MAX_COUNTED_CHARGES)}
      ) reference
      cross join lateral (
        select ${otherColumns} from charges where merchant_id = ${merchantId} and id = reference.charge_id offset 0
      ) charge) found`;
  if (search !== undefined && status !== undefined) return { withClause: sql``, source };
  const rows = sql`(
      select merchant_id, charge_id as id from ${table} where merchant_id = ${merchantId} and ${condition}
    ) key`;
  const matches = conditionsOf({ ...filter, status: undefined, search: undefined }, after);
  return { withClause: sql``, source, keys: { rows, matches } };
}

function conditionsOf(filter: ChargeFilter, after?: PageRequest['after']): RawBuilder<unknown> {
  const conditions = [...filterConditions(filter)];
  if (after !== undefined) conditions.push(sql`id < ${after.id}::uuid`);
  return sql.join(conditions, sql` and `);
}

/** The SQL condition that an id begins with these hexadecimal digits. */
function idBeginsWith(hex: string): RawBuilder<unknown> {
  return sql`id between ${hex.padEnd(32, '0')}::uuid and ${hex.padEnd(32, 'f')}::uuid`;
}

function* filterConditions(filter: ChargeFilter): Generator<RawBuilder<unknown>> {
  yield sql`merchant_id = ${filter.merchantId}`;
  if (filter.status !== undefined) yield sql`status = ${filter.status}`;
  if (filter.from !== undefined) yield sql`id >= ${firstTimeIdAt(filter.from)}::uuid`;
  if (filter.until !== undefined) yield sql`id < ${firstTimeIdAt(filter.until)}::uuid`;
  if (filter.search?.by === 'amount') yield sql`amount_cents = ${filter.search.cents}`;
  if (filter.search?.by === 'id') yield idBeginsWith(filter.search.hex);
  if (filter.search?.by === 'nothing') yield sql`false`;
}

/** Counts a merchant's charges by status, from stored counters. */
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
