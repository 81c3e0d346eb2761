import { createHash } from 'node:crypto';
import type { PushMessage } from '@jangada/contract';
import type { ClaimedPushDelivery } from './delivery-store.ts';

/** A notification as it is kept. */
export type StoredNotification = {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly data: unknown;
  readonly created_at: Date;
};

/** One message to a device, and the notifications it covers. */
export type PushBatch = {
  readonly notificationIds: readonly string[];
  /** The newest of them. */
  readonly newestId: string;
};

// Up to this many of one kind are sent one by one; for more, one message says how many there are.
const tellsEach = 3;

/** Groups what waits for one device into messages, oldest first: a flood of one kind becomes one message. */
export function batchPushes(waiting: readonly ClaimedPushDelivery[]): PushBatch[] {
  const kinds = Map.groupBy(waiting, ({ kind }) => kind);
  const parcels = [...kinds.values()].flatMap((ofKind) => {
    // Ids begin with their time.
    const ids = ofKind.map(({ notificationId }) => notificationId).toSorted();
    return ids.length > tellsEach
      ? [{ notificationIds: ids, newestId: ids.at(-1) ?? '' }]
      : ids.map((id) => ({ notificationIds: [id], newestId: id }));
  });
  return parcels.toSorted((one, other) => (one.newestId < other.newestId ? -1 : 1));
}

// A push service accepts 4096 encrypted bytes (RFC 8030, 7.2).
const longestTitle = 200;
const longestBody = 600;

/** What a device shows for a parcel. */
export function toPushMessage({ notificationIds }: PushBatch, newest: StoredNotification): PushMessage {
  const { title, body, data, created_at } = newest;
  const count = notificationIds.length;
  const told = typeof data === 'object' && data !== null ? { ...data } : {};
  const said = { timestamp: created_at.toISOString(), tag: tagOf(newest) };
  if (count === 1)
    return { ...said, title: title.slice(0, longestTitle), body: body.slice(0, longestBody), data: told };
  return {
    ...said,
    title: `${count} novas notificações`,
    body: `A mais recente: ${title}. ${body}`.slice(0, longestBody),
    data: {},
  };
}

/** The same for whatever is told of the same thing: it says nothing of it to those who carry it. */
function tagOf({ id, data }: StoredNotification): string {
  const { type, id: thing }: { type?: unknown; id?: unknown } =
    typeof data === 'object' && data !== null ? data : {};
  const subject = thing === undefined ? id : `${String(type).split('.')[0]} ${String(thing)}`;
  return createHash('sha256').update(subject).digest('base64url').slice(0, 32);
}
