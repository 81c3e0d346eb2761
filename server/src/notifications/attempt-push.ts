import { createHash } from 'node:crypto';
import type { PushMessage } from '@jangada/contract';
import webPush from 'web-push';
import { FetchFailed, type GuardedFetch } from '../guarded-fetch/index.ts';
import type { ClaimedPushDelivery } from './delivery-store.ts';
import type { PushSubscription } from './push-subscription.ts';
import type { VapidTokens } from './vapid.ts';

type PushOutcome = 'sent' | 'gone' | 'failed';

/** Sends one message to a device through its push service (RFC 8030). Never throws for what the service does. */
export async function attemptPush(
  { fetch, tokens }: { readonly fetch: GuardedFetch; readonly tokens: VapidTokens },
  { endpoint, keys }: PushSubscription,
  message: PushMessage,
  ttlSeconds: number,
): Promise<{ readonly outcome: PushOutcome; readonly why: string }> {
  const { cipherText } = webPush.encrypt(keys.p256dh, keys.auth, JSON.stringify(message), 'aes128gcm');
  const headers = {
    authorization: tokens(endpoint),
    'content-encoding': 'aes128gcm',
    'content-type': 'application/octet-stream',
    ttl: String(ttlSeconds),
    urgency: 'high',
    topic: message.tag,
  };
  try {
    const { status } = await fetch.send({ method: 'POST', url: endpoint, headers, body: cipherText });
    return { outcome: outcomeOf(status), why: String(status) };
  } catch (error) {
    if (error instanceof FetchFailed) return { outcome: 'failed', why: error.reason };
    throw error;
  }
}

/** 404 and 410: the device takes no more. 413: this message never fits, and the next one may. */
function outcomeOf(status: number): PushOutcome {
  if ((status >= 200 && status < 300) || status === 413) return 'sent';
  return status === 404 || status === 410 ? 'gone' : 'failed';
}

/** A notification as it is kept. */
type StoredNotification = {
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
