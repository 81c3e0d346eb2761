import { createHash } from 'node:crypto';
import type { PushMessage } from '@jangada/contract';
import webPush from 'web-push';
import { FetchFailed, type GuardedFetch } from '../guarded-fetch/index.ts';
import type { ClaimedPushDelivery } from './delivery-store.ts';
import type { PushSubscription } from './push-subscription.ts';
import type { VapidTokens } from './vapid.ts';

/** `gone`: the device's subscription has ended. */
export type PushOutcome = 'sent' | 'gone' | 'failed';

/**
 * Sends one message to a device (a browser with a push subscription) through its push service (RFC 8030). A failure of
 * the service is returned, not thrown.
 */
export async function attemptPush(
  { fetch, authorizationFor }: { readonly fetch: GuardedFetch; readonly authorizationFor: VapidTokens },
  { endpoint, keys }: PushSubscription,
  message: PushMessage,
  ttlSeconds: number,
): Promise<{ readonly outcome: PushOutcome; readonly reason: string }> {
  const { cipherText } = webPush.encrypt(keys.p256dh, keys.auth, JSON.stringify(message), 'aes128gcm');
  const headers = {
    authorization: authorizationFor(endpoint),
    'content-encoding': 'aes128gcm',
    'content-type': 'application/octet-stream',
    ttl: String(ttlSeconds),
    urgency: 'high',
    topic: message.tag,
  };
  try {
    const { status } = await fetch.send({ method: 'POST', url: endpoint, headers, body: cipherText });
    return { outcome: outcomeOf(status), reason: String(status) };
  } catch (error) {
    if (error instanceof FetchFailed) return { outcome: 'failed', reason: error.reason };
    throw error;
  }
}

/**
 * The statuses 404 and 410 mean that the device accepts no further messages. 413 means that this message is too large;
 * it counts as sent, because a retry cannot succeed, but the next message can.
 */
function outcomeOf(status: number): PushOutcome {
  if ((status >= 200 && status < 300) || status === 413) return 'sent';
  return status === 404 || status === 410 ? 'gone' : 'failed';
}

type StoredNotification = {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly data: unknown;
  readonly created_at: Date;
};

/** The notifications for which a device gets one message. The message has the text of the newest. */
export type PushBatch = {
  readonly notificationIds: readonly string[];
  readonly newestId: string;
};

// Up to this many notifications of one kind are sent separately; for more, one message says how many there are.
const maxSeparateMessages = 3;

/** Groups the waiting deliveries of one device into messages, oldest first: a flood of one kind becomes one message. */
export function batchPushes(deliveries: readonly ClaimedPushDelivery[]): PushBatch[] {
  const deliveriesByKind = Map.groupBy(deliveries, ({ kind }) => kind);
  const batches = [...deliveriesByKind.values()].flatMap((sameKind) => {
    // Ids begin with their time, so this sorts them by age.
    const ids = sameKind.map(({ notificationId }) => notificationId).toSorted();
    return ids.length > maxSeparateMessages
      ? [{ notificationIds: ids, newestId: ids.at(-1) ?? '' }]
      : ids.map((id) => ({ notificationIds: [id], newestId: id }));
  });
  return batches.toSorted((left, right) => (left.newestId < right.newestId ? -1 : 1));
}

// Titles and texts are cut to these lengths, because a push service accepts only 4096 encrypted bytes (RFC 8030, 7.2).
const maxTitleLength = 200;
const maxBodyLength = 600;

/** Builds the message that a device displays for a batch. */
export function toPushMessage({ notificationIds }: PushBatch, newest: StoredNotification): PushMessage {
  const { title, body, data, created_at } = newest;
  const count = notificationIds.length;
  const dataObject = typeof data === 'object' && data !== null ? { ...data } : {};
  const commonFields = { timestamp: created_at.toISOString(), tag: tagOf(newest) };
  if (count === 1)
    return {
      ...commonFields,
      title: title.slice(0, maxTitleLength),
      body: body.slice(0, maxBodyLength),
      data: dataObject,
    };
  return {
    ...commonFields,
    title: `${count} novas notificações`,
    body: `A mais recente: ${title}. ${body}`.slice(0, maxBodyLength),
    data: {},
  };
}

/**
 * Notifications about the same subject, such as one withdrawal, get the same tag, so that a newer one replaces the
 * older. The tag is a hash, because the push service can read the tag and should not learn the subject.
 */
function tagOf({ id, data }: StoredNotification): string {
  const { type, id: subjectId }: { type?: unknown; id?: unknown } =
    typeof data === 'object' && data !== null ? data : {};
  const subject = subjectId === undefined ? id : `${String(type).split('.')[0]} ${String(subjectId)}`;
  return createHash('sha256').update(subject).digest('base64url').slice(0, 32);
}
