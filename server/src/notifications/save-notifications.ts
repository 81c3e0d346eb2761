import { randomBytes } from 'node:crypto';
import { notificationKindOf } from '@jangada/contract';
import { sql } from 'kysely';
import { v7 } from 'uuid';
import { jsonLines, numbers, texts } from '../db/arrays.ts';
import type { Tx } from '../db/transaction.ts';
import type { OutboxMessage } from '../outbox/index.ts';

export type NewNotification = {
  readonly merchantId: number;
  readonly title: string;
  readonly body: string;
  /** What it speaks of, for the screen that opens it. */
  readonly data: Record<string, unknown>;
};
export type NotificationText = Pick<NewNotification, 'title' | 'body'>;

/**
 * Keeps notifications, and sends them on their way to the devices that want them, in one statement. Answers the messages
 * that tell the merchants' open screens of them.
 */
export async function saveNotifications(
  tx: Tx,
  notifications: readonly NewNotification[],
): Promise<OutboxMessage[]> {
  if (notifications.length === 0) return [];
  tx.wakeAfterCommit();
  const newId = timedIds(tx.now, notifications.length);
  const kept = notifications.map((notification) => ({ ...notification, id: newId() }));
  await sql`
    with told as (
      select * from rows from (
        unnest(
          ${numbers(kept.map((one) => one.merchantId))}::bigint[], ${texts(kept.map((one) => one.id))}::uuid[],
          ${texts(kept.map((one) => one.title))}::text[], ${texts(kept.map((one) => one.body))}::text[],
          ${texts(kept.map((one) => notificationKindOf(one.data)))}::text[]),
        string_to_table(${jsonLines(kept.map((one) => one.data))}, E'\\n')
      ) told (merchant_id, id, title, body, kind, data)
    ),
    kept as (
      insert into notifications (merchant_id, id, title, body, data, created_at)
      select merchant_id, id, title, body, data::json, ${tx.now} from told
    )
    insert into push_deliveries (merchant_id, subscription_id, notification_id, kind, due_at)
    select told.merchant_id, device.id, told.id, told.kind, greatest(device.rests_until, ${tx.now})
    from told join push_subscriptions device on device.merchant_id = told.merchant_id
    -- Asked only of those who have a device.
    where told.kind <> all (
      array(select refused.kind from push_refusals refused where refused.merchant_id = device.merchant_id))
  `.execute(tx.db);
  const timestamp = tx.now.toISOString();
  return kept.map(({ merchantId, id, title, body, data }) => ({
    merchantId,
    message: { type: 'notification', notification: { id, title, body, data, timestamp, read: false } },
  }));
}

/** Makes `count` ids that begin with a time, each above the one before, from random bytes that are drawn at once. */
function timedIds(at: Date, count: number): () => string {
  const random = randomBytes(16 * count);
  const first = random.readUInt32BE() >>> 1;
  let made = 0;
  return () => {
    const id = v7({
      random: random.subarray(16 * made, 16 * (made + 1)),
      msecs: at.getTime(),
      seq: first + made,
    });
    made += 1;
    return id;
  };
}
