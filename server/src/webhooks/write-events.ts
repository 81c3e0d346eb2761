import { sql } from 'kysely';
import { jsonLines, numbers, texts } from '../db/arrays.ts';
import type { Tx } from '../db/transaction.ts';

/** An event to report to a merchant's systems. */
type NewEvent = {
  readonly merchantId: number;
  /** The `webhook-id`, unique per event. It begins with the subject (`eventIdOf`). */
  readonly id: string;
  readonly type: string;
  /** The subject: a charge, a withdrawal or a dispute. */
  readonly subjectId: string;
  /** The subject's callback URL; null if it has none. */
  readonly callbackUrl: string | null;
  readonly body: object;
};

/**
 * Stores events for the feed and writes a delivery of each to its callback URL and to every endpoint subscribed to its
 * type, in one statement. For a disabled endpoint the delivery is held.
 */
export async function writeEvents(tx: Tx, told: readonly NewEvent[]): Promise<void> {
  if (told.length === 0) return;
  tx.wakeAfterCommit();
  const urls = told.map(({ callbackUrl }) => callbackUrl);
  await sql`
    with told as materialized (
      select * from rows from (
        unnest(
          ${numbers(told.map((one) => one.merchantId))}::bigint[], ${texts(told.map((one) => one.id))}::text[],
          ${texts(told.map((one) => one.type))}::text[], ${texts(told.map((one) => one.subjectId))}::uuid[],
          ${texts(urls)}::text[], ${texts(originsOf(urls))}::text[]),
        string_to_table(${jsonLines(told.map((one) => one.body))}, E'\\n')
      ) told (merchant_id, id, type, subject_id, url, origin, body)
    ),
    event as (
      insert into events (merchant_id, subject_id, id, type, body, created_at, epoch)
      select merchant_id, subject_id, id, type, body, ${tx.now}, coalesce((select feed_epoch from gateway), 1)
      from told
    ),
    delivery as (
      insert into webhook_deliveries
        (merchant_id, id, type, subject_id, url, endpoint, endpoint_id, state, due_at, created_at)
      select merchant_id, id, type, subject_id, url, origin, null, 'waiting', ${tx.now}::timestamptz, ${tx.now}::timestamptz
      from told where url is not null
      union all
      select told.merchant_id, told.id || '.' || left(receiver.id::text, 8), told.type, told.subject_id, receiver.url,
             receiver.origin, receiver.id, case receiver.state when 'on' then 'waiting' else 'held' end,
             ${tx.now}::timestamptz, ${tx.now}::timestamptz
      from told join webhook_endpoints receiver on receiver.merchant_id = told.merchant_id
      where receiver.events = '{}' or told.type = any (receiver.events)
      returning merchant_id, endpoint, state
    )
    insert into webhook_lane_changes (merchant_ids, endpoints, since)
    select array_agg(merchant_id), array_agg(endpoint), ${tx.now}::timestamptz
    from (select distinct merchant_id, endpoint from delivery where state = 'waiting') changed
    having count(*) > 0
  `.execute(tx.db);
}

/** The origin of each URL; each distinct URL is parsed once, because a few URLs receive most events. */
function originsOf(urls: readonly (string | null)[]): (string | null)[] {
  const origins = new Map<string, string>();
  return urls.map((url) => {
    if (url === null) return null;
    const origin = origins.get(url) ?? new URL(url).origin;
    origins.set(url, origin);
    return origin;
  });
}

const subjectIn = /^evt_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})_/;

/** The id of an event of a charge, a withdrawal or a dispute: deterministic, so that the event is emitted once. */
export function eventIdOf(subjectId: string, what: string): string {
  return `evt_${subjectId.replaceAll('-', '')}_${what}`;
}

/** The subject of an event or of its delivery; undefined if the id is not an event's. */
export function subjectOf(eventId: string): string | undefined {
  return subjectIn.exec(eventId)?.slice(1).join('-');
}

/** The event id of a delivery: the part of its id before the first dot. */
export function eventOf(deliveryId: string): string {
  return deliveryId.split('.', 1)[0] ?? deliveryId;
}
