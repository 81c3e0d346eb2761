import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';

/** A stored event. `body` is JSON. */
export type StoredEvent = {
  readonly id: string;
  readonly type: string;
  readonly body: string;
  readonly createdAt: Date;
};

/** A query of the feed: a merchant's events in a fixed order, as `GET /api/events` returns them. */
export type EventFeedQuery = {
  readonly merchantId: number;
  /** The cursor: the id of the last event that the reader has; undefined to start at the oldest. */
  readonly after: string | undefined;
  readonly type: string | undefined;
  readonly limit: number;
};

export type EventFeedPage = {
  readonly events: readonly StoredEvent[];
  /**
   * Set if a search by type reached its scan limit before the newest event: the last event that it scanned. Undefined
   * otherwise.
   */
  readonly lastScannedId: string | undefined;
  /** The newest visible event of any type; undefined if there is none after the cursor. */
  readonly newest: string | undefined;
};

/** How many events one call scans at most when it searches by type. */
const MAX_EVENTS_SCANNED = 5000;

/**
 * Returns events after a cursor, in the order of the feed; undefined if the cursor is unknown. A transaction in
 * progress may still commit events at positions before existing ones. So events are withheld from the oldest such
 * transaction on: a reader that went past them would miss the later commit. Events of earlier epochs are complete: a
 * new epoch begins when the database moves to another server, because transaction ids then start again.
 */
export async function selectEventFeed(
  db: Db,
  { merchantId, after, type, limit }: EventFeedQuery,
): Promise<EventFeedPage | undefined> {
  const { rows } = await sql<FeedRow>`
    with horizon as materialized (
      select coalesce((select feed_epoch from gateway), 1) as epoch, pg_snapshot_xmin(pg_current_snapshot()) as tx
    ),
    cursor as materialized (
      select epoch, tx, seq from events
      where merchant_id = ${merchantId} and id = ${after ?? null}::text
      union all
      select 0, '0'::xid8, 0 where ${after ?? null}::text is null
    ),
    looked as (
      select event.id, event.type, event.body, event.created_at, event.epoch, event.tx, event.seq
      from cursor, horizon, events event
      where event.merchant_id = ${merchantId} and (event.epoch, event.tx, event.seq) > (cursor.epoch, cursor.tx, cursor.seq)
        and (event.epoch, event.tx) < (horizon.epoch, horizon.tx)
      order by event.epoch, event.tx, event.seq
      limit ${type === undefined ? limit : MAX_EVENTS_SCANNED}
    ),
    page as (
      select * from looked
      where ${type ?? null}::text is null or type = ${type ?? null}::text
      order by epoch, tx, seq
      limit ${limit}
    ),
    newest as (
      select event.id from cursor, horizon, events event
      where event.merchant_id = ${merchantId} and (event.epoch, event.tx, event.seq) > (cursor.epoch, cursor.tx, cursor.seq)
        and (event.epoch, event.tx) < (horizon.epoch, horizon.tx)
      order by event.epoch desc, event.tx desc, event.seq desc
      limit 1
    )
    select (select count(*)::int from cursor) as known, (select id from newest) as newest,
           (select count(*)::int from looked) as looked_at,
           (select id from looked order by epoch desc, tx desc, seq desc limit 1) as seen_until,
           page.id, page.type, page.body, page.created_at
    from (select) always left join page on true
    order by page.epoch, page.tx, page.seq
  `.execute(db);
  if (rows[0]?.known !== 1) return undefined;
  const events = rows.flatMap(({ id, type: eventType, body, created_at: createdAt }) =>
    id === null || eventType === null || body === null || createdAt === null
      ? []
      : [{ id, type: eventType, body, createdAt }],
  );
  const [{ newest, looked_at, seen_until }] = rows;
  const isSearchIncomplete = type !== undefined && looked_at === MAX_EVENTS_SCANNED && seen_until !== newest;
  return {
    events,
    lastScannedId: isSearchIncomplete ? (seen_until ?? undefined) : undefined,
    newest: newest ?? undefined,
  };
}

/** An event of the page, with facts about the whole page. If the page is empty, one row has no event. */
type FeedRow = {
  /** 1 if the cursor exists, otherwise 0. */
  known: number;
  newest: string | null;
  /** How many events were scanned. */
  looked_at: number;
  /** The last event scanned. */
  seen_until: string | null;
  id: string | null;
  type: string | null;
  body: string | null;
  created_at: Date | null;
};

/** Finds an event by its id. A new event can be found here a moment before the feed shows it. */
export async function selectEvent(db: Db, merchantId: number, id: string): Promise<StoredEvent | undefined> {
  const { rows } = await sql<StoredEvent>`
    select id, type, body, created_at as "createdAt" from events
    where merchant_id = ${merchantId} and id = ${id}
  `.execute(db);
  return rows[0];
}
