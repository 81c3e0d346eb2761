import { sql } from 'kysely';
import { v7 as newId } from 'uuid';
import type { Tx } from '../db/transaction.ts';
import { writeMessages } from '../outbox/index.ts';

export type NewNotification = {
  readonly merchantId: number;
  readonly title: string;
  readonly body: string;
  /** What it speaks of, for the screen that opens it. */
  readonly data: Record<string, unknown>;
};

/** Keeps notifications and sends them to the merchants' open screens, one statement for each. */
export async function notify(tx: Tx, notifications: readonly NewNotification[]): Promise<void> {
  if (notifications.length === 0) return;
  const kept = notifications.map((notification) => ({ ...notification, id: newId() }));
  await sql`
    insert into notifications (merchant_id, id, title, body, data, created_at)
    select merchant_id, id, title, body, data, ${tx.now}
    from unnest(
      ${kept.map((one) => one.merchantId)}::bigint[], ${kept.map((one) => one.id)}::uuid[],
      ${kept.map((one) => one.title)}::text[], ${kept.map((one) => one.body)}::text[],
      ${kept.map((one) => JSON.stringify(one.data))}::jsonb[]
    ) kept (merchant_id, id, title, body, data)
  `.execute(tx.db);
  await writeMessages(
    tx,
    kept.map(({ merchantId, id, title, body, data }) => ({
      merchantId,
      message: {
        type: 'notification',
        notification: { id, title, body, data, timestamp: tx.now.toISOString(), read: false },
      },
    })),
  );
}
