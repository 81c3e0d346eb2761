import { randomBytes } from 'node:crypto';
import { notificationKindOf } from '@jangada/contract';
import { type RawBuilder, sql } from 'kysely';
import { v7 } from 'uuid';
import { jsonLines, numberArray, textArray } from '../db/arrays.ts';
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
  const { call, messages } = buildNotificationsSql(tx, notifications);
  await sql`select ${call}`.execute(tx.db);
  return messages;
}

/**
 * Returns the SQL call by which `saveNotifications` works, for the caller to include in its own statement, and the
 * messages that the caller must write to the outbox.
 */
export function buildNotificationsSql(
  tx: Tx,
  notifications: readonly NewNotification[],
): { readonly call: RawBuilder<boolean>; readonly messages: OutboxMessage[] } {
  tx.wakeAfterCommit();
  const newId = createIdGenerator(tx.now, notifications.length);
  const stored = notifications.map((notification) => ({ ...notification, id: newId() }));
  const timestamp = tx.now.toISOString();
  return {
    call: sql`write_notifications(
      written_at => ${tx.now}::timestamptz,
      merchants => ${numberArray(stored.map((row) => row.merchantId))}::bigint[],
      ids => ${textArray(stored.map((row) => row.id))}::uuid[],
      titles => ${textArray(stored.map((row) => row.title))}::text[],
      bodies => ${textArray(stored.map((row) => row.body))}::text[],
      kinds => ${textArray(stored.map((row) => notificationKindOf(row.data)))}::text[],
      data_lines => ${jsonLines(stored.map((row) => row.data))}::text)`,
    messages: stored.map(({ merchantId, id, title, body, data }) => ({
      merchantId,
      message: { type: 'notification', notification: { id, title, body, data, timestamp, read: false } },
    })),
  };
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
