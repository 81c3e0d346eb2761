import type { FeedEvent, listEvents as listEventsEndpoint, ResponseOf } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { Refusal } from '../refusal.ts';
import { type EventFeedQuery, type StoredEvent, selectEvent, selectEventFeed } from './event-store.ts';

/**
 * A merchant's events after a known one: each exactly once, in one order, without gaps. A page filtered by a rare type
 * may be short, or empty, without being the last.
 * @throws {Refusal} EVENT_CURSOR_UNKNOWN
 */
export async function listEvents(
  { db }: Pick<Deps, 'db'>,
  query: EventFeedQuery,
): Promise<ResponseOf<typeof listEventsEndpoint>> {
  const page = await selectEventFeed(db, { ...query, limit: query.limit + 1 });
  if (page === undefined) throw new Refusal('EVENT_CURSOR_UNKNOWN');
  const shown = page.events.slice(0, query.limit);
  const isFull = page.events.length > query.limit;
  // When filtering by type, the next call skips events already scanned.
  const last = isFull ? shown.at(-1)?.id : (page.seenUntil ?? page.newest);
  return {
    data: shown.map(feedEventFrom),
    has_more: isFull || page.seenUntil !== undefined,
    next: last ?? query.after ?? null,
  };
}

/** @throws {Refusal} EVENT_NOT_FOUND */
export async function readEvent(
  { db }: Pick<Deps, 'db'>,
  merchantId: number,
  id: string,
): Promise<FeedEvent> {
  const event = await selectEvent(db, merchantId, id);
  if (event === undefined) throw new Refusal('EVENT_NOT_FOUND');
  return feedEventFrom(event);
}

function feedEventFrom({ id, type, body, createdAt }: StoredEvent): FeedEvent {
  return { id, type, created_at: createdAt.toISOString(), data: JSON.parse(body) };
}
