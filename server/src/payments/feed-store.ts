import type { ChargeStatus, FeedCounts } from '@jangada/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { Charge } from './payment.ts';
import { type ChargeRow, chargeColumns, chargeFrom } from './store.ts';

export type ChargeFilter = {
  readonly merchantId: number;
  readonly status: ChargeStatus | undefined;
  readonly from: Date | undefined;
  /** Not included. */
  readonly until: Date | undefined;
  readonly search:
    | { readonly by: 'amount'; readonly cents: number }
    | { readonly by: 'endToEndId'; readonly prefix: string }
    | { readonly by: 'id'; readonly hex: string }
    | { readonly by: 'nothing' }
    | undefined;
};

export type Place = {
  readonly limit: number;
  readonly offset?: number;
  readonly after?: { readonly createdAt: Date; readonly id: string };
  readonly oldestFirst?: boolean;
};

export async function listCharges(db: Db, filter: ChargeFilter, place: Place): Promise<Charge[]> {
  const direction = place.oldestFirst === true ? sql`asc` : sql`desc`;
  const conditions = [...conditionsOf(filter)];
  if (place.after !== undefined) {
    conditions.push(sql`(created_at, id) < (${place.after.createdAt}, ${place.after.id}::uuid)`);
  }
  const { rows } = await sql<ChargeRow>`
    select ${sql.join(chargeColumns.map((column) => sql.ref(column)))} from charges
    where ${sql.join(conditions, sql` and `)}
    order by created_at ${direction}, id ${direction}
    limit ${place.limit} offset ${place.offset ?? 0}
  `.execute(db);
  return rows.map(chargeFrom);
}

/** How many charges a filter finds, counted to `most` at most. */
export async function countCharges(db: Db, filter: ChargeFilter, most: number): Promise<number> {
  const { rows } = await sql<{ found: number }>`
    select count(*) as found from (
      select from charges where ${sql.join([...conditionsOf(filter)], sql` and `)} limit ${most}
    ) counted
  `.execute(db);
  return rows[0]?.found ?? 0;
}

function* conditionsOf(filter: ChargeFilter): Generator<RawBuilder<unknown>> {
  yield sql`merchant_id = ${filter.merchantId}`;
  if (filter.status !== undefined) yield sql`status = ${filter.status}`;
  if (filter.from !== undefined) yield sql`created_at >= ${filter.from}`;
  if (filter.until !== undefined) yield sql`created_at < ${filter.until}`;
  const { search } = filter;
  if (search?.by === 'amount') yield sql`amount_cents = ${search.cents}`;
  if (search?.by === 'endToEndId') {
    yield sql`end_to_end_id >= ${search.prefix} and end_to_end_id < ${`${search.prefix}~`}`;
  }
  if (search?.by === 'id') {
    yield sql`id between ${search.hex.padEnd(32, '0')}::uuid and ${search.hex.padEnd(32, 'f')}::uuid`;
  }
  if (search?.by === 'nothing') yield sql`false`;
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
