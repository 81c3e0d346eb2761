import type { FeedEvent, listEvents as listEventsEndpoint, ResponseOf } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { Refusal } from '../refusal.ts';
import { type EventFeedQuery, type StoredEvent, selectEvent, selectEventFeed } from './event-store.ts';

/**
 * What happened to a merchant's money after an event that they know: each once, in one order, none left out. A page of a
 * type that seldom comes may be short, or empty, and yet not the last.
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
  // Of one type, the next call need not look again at all the others.
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
