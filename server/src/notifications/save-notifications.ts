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
  /** Describes the subject (its type and id), so that the panel can open the right screen. */
  readonly data: Record<string, unknown>;
};
export type NotificationText = Pick<NewNotification, 'title' | 'body'>;

/**
 * Stores notifications, and a delivery for each device that wants them, in one statement. Returns the messages for the
 * merchants' open screens, which the caller must write to the outbox.
 */
export async function saveNotifications(
  tx: Tx,
  notifications: readonly NewNotification[],
): Promise<OutboxMessage[]> {
  if (notifications.length === 0) return [];
  tx.wakeAfterCommit();
  const newId = createIdGenerator(tx.now, notifications.length);
  const stored = notifications.map((notification) => ({ ...notification, id: newId() }));
  await sql`
    with created as (
      select * from rows from (
        unnest(
          ${numbers(stored.map((row) => row.merchantId))}::bigint[], ${texts(stored.map((row) => row.id))}::uuid[],
          ${texts(stored.map((row) => row.title))}::text[], ${texts(stored.map((row) => row.body))}::text[],
          ${texts(stored.map((row) => notificationKindOf(row.data)))}::text[]),
        string_to_table(${jsonLines(stored.map((row) => row.data))}, E'\\n')
      ) created (merchant_id, id, title, body, kind, data)
    ),
    inserted as (
      insert into notifications (merchant_id, id, title, body, data, created_at)
      select merchant_id, id, title, body, data::json, ${tx.now} from created
    )
    insert into push_deliveries (merchant_id, subscription_id, notification_id, kind, due_at)
    select created.merchant_id, device.id, created.id, created.kind, greatest(device.rests_until, ${tx.now})
    from created join push_subscriptions device on device.merchant_id = created.merchant_id
    -- Read only for merchants who have a device.
    where created.kind <> all (
      array(select refused.kind from push_refusals refused where refused.merchant_id = device.merchant_id))
  `.execute(tx.db);
  const timestamp = tx.now.toISOString();
  return stored.map(({ merchantId, id, title, body, data }) => ({
    merchantId,
    message: { type: 'notification', notification: { id, title, body, data, timestamp, read: false } },
  }));
}

/** Returns a function that generates `count` ids. They begin with the time, and each is greater than the one before. */
function createIdGenerator(time: Date, count: number): () => string {
  const random = randomBytes(16 * count);
  const firstSequence = random.readUInt32BE() >>> 1;
  let generated = 0;
  return () => {
    const id = v7({
      random: random.subarray(16 * generated, 16 * (generated + 1)),
      msecs: time.getTime(),
      seq: firstSequence + generated,
    });
    generated += 1;
    return id;
  };
}
