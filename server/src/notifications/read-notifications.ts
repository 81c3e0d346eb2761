import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { writeMessages } from '../outbox/index.ts';
import { markAllRead, markRead } from './store.ts';
import { unreadMessage } from './unread-message.ts';

// A transaction that began before may still commit a notification that nobody has seen.
const settledMs = 60_000;

/** Marks some or all notifications as read, and updates other open screens. Returns how many are unread. */
export async function readNotifications(
  deps: Pick<Deps, 'db' | 'clock'>,
  merchantId: number,
  ids: readonly string[] | undefined,
): Promise<number> {
  const unread = await inTransaction(deps, async (tx) => {
    if (ids === undefined) await markAllRead(tx, merchantId, firstIdAt(tx.now.getTime() - settledMs));
    else if (ids.length > 0) await markRead(tx, merchantId, ids);
    const message = await unreadMessage(tx, merchantId);
    await writeMessages(tx, [{ merchantId, message }]);
    return message.unread;
  });
  return unread;
}

/** The lowest id of its millisecond (RFC 9562, 5.7). */
function firstIdAt(milliseconds: number): string {
  const time = milliseconds.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}
