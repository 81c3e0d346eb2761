import type { LiveMessage, listNotifications as listEndpoint, QueryOf, ResponseOf } from '@jangada/contract';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { writeMessages } from '../outbox/index.ts';
import { firstTimeIdAt } from '../time-id.ts';
import { countUnread, markAllRead, markRead, selectNotifications } from './store.ts';

/**
 * Unread notifications are counted up to this number, so that an account with very many costs no more to count than one
 * with a hundred.
 */
const MAX_UNREAD_COUNTED = 100;

/** Returns a page of an account's notifications, newest first. */
export async function listNotifications(
  { db }: Pick<Deps, 'db'>,
  merchantId: number,
  { limit, before }: QueryOf<typeof listEndpoint>,
): Promise<ResponseOf<typeof listEndpoint>> {
  const [rows, unread] = await Promise.all([
    selectNotifications(db, merchantId, { limit: limit + 1, before }),
    countUnread(db, merchantId, MAX_UNREAD_COUNTED),
  ]);
  const page = rows.slice(0, limit);
  return {
    notifications: page.map(({ id, title, body, data, read, created_at }) => ({
      id,
      title,
      body,
      timestamp: created_at.toISOString(),
      read,
      data,
    })),
    unread,
    next: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}

/**
 * A transaction that is still open may later commit a notification that nobody has seen. Ids begin with their time, and
 * the id of that notification may be up to this much older than now. To leave it unread, the id up to which everything
 * counts as read stays this far behind now. Newer notifications that are already visible are marked one by one.
 */
const openTransactionMarginMs = 60_000;

/**
 * Marks the notifications with these ids as read, or all of the account's notifications if `ids` is undefined, and
 * updates its other open screens. Returns how many are unread.
 */
export async function markNotificationsRead(
  deps: Pick<Deps, 'db' | 'clock'>,
  merchantId: number,
  ids: readonly string[] | undefined,
): Promise<number> {
  return inTransaction(deps, async (tx) => {
    if (ids === undefined)
      await markAllRead(tx, merchantId, firstTimeIdAt(new Date(tx.now.getTime() - openTransactionMarginMs)));
    else if (ids.length > 0) await markRead(tx, merchantId, ids);
    const message = await createUnreadMessage(tx, merchantId);
    await writeMessages(tx, [{ merchantId, message }]);
    return message.unread;
  });
}

/** Returns the message that shows an account's screens how many notifications are unread. */
export async function createUnreadMessage(
  tx: Tx,
  merchantId: number,
): Promise<Extract<LiveMessage, { type: 'unread' }>> {
  return { type: 'unread', unread: await countUnread(tx.db, merchantId, MAX_UNREAD_COUNTED) };
}

const retentionMs = 180 * 24 * 3_600_000;

/** Deletes notifications that are half a year old. */
export async function pruneNotifications(deps: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  await inTransaction(deps, (tx) =>
    tx.db
      .deleteFrom('notifications')
      .where('created_at', '<', new Date(tx.now.getTime() - retentionMs))
      .execute(),
  );
}
