import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';

/**
 * The condition for a merchant's unread notifications. A notification counts as read if it has a `read_at`, or if its
 * id is not above the merchant's mark, which the merchant sets by marking all as read.
 */
function unreadCondition(merchantId: number) {
  return sql`
    merchant_id = ${merchantId} and read_at is null
    and id > coalesce(
      (select read_until from notification_marks where merchant_id = ${merchantId}),
      '00000000-0000-0000-0000-000000000000')
  `;
}

export type NotificationRow = {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly data: Record<string, unknown>;
  readonly created_at: Date;
  readonly read: boolean;
};

/** Returns notifications, newest first; with `before`, only those older than that id. Ids begin with their time. */
export async function selectNotifications(
  db: Db,
  merchantId: number,
  { limit, before }: { readonly limit: number; readonly before: string | undefined },
): Promise<NotificationRow[]> {
  const { rows } = await sql<NotificationRow>`
    select id, title, body, data, created_at,
           read_at is not null or id <= coalesce(
             (select read_until from notification_marks where merchant_id = ${merchantId}),
             '00000000-0000-0000-0000-000000000000') as read
    from notifications
    where merchant_id = ${merchantId} and id < ${before ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff'}
    order by id desc
    limit ${limit}
  `.execute(db);
  return rows;
}

/** Counts a merchant's unread notifications. Counting stops at `maxCount`. */
export async function countUnread(db: Db, merchantId: number, maxCount: number): Promise<number> {
  const { rows } = await sql<{ unread: number }>`
    select count(*)::int as unread
    from (select from notifications where ${unreadCondition(merchantId)} order by id desc limit ${maxCount}) newest
  `.execute(db);
  return rows[0]?.unread ?? 0;
}

export async function markRead(tx: Tx, merchantId: number, ids: readonly string[]): Promise<void> {
  await tx.db
    .updateTable('notifications')
    .set({ read_at: tx.now })
    .where('merchant_id', '=', merchantId)
    .where('id', 'in', [...ids])
    .where('read_at', 'is', null)
    .execute();
}

/**
 * Marks all notifications as read. The merchant's mark covers those up to the id `until`. Those with a later id are
 * marked in their rows if they are already committed; the others stay unread.
 */
export async function markAllRead(tx: Tx, merchantId: number, until: string): Promise<void> {
  await sql`
    insert into notification_marks as stored (merchant_id, read_until) values (${merchantId}, ${until})
    on conflict (merchant_id) do update set read_until = greatest(stored.read_until, excluded.read_until)
  `.execute(tx.db);
  await sql`update notifications set read_at = ${tx.now} where ${unreadCondition(merchantId)}`.execute(tx.db);
}
