import type { LiveMessage } from '@jangada/contract';
import type { Tx } from '../db/transaction.ts';
import { countUnread } from './store.ts';

/** Unread notifications are counted up to this number. */
export const UNREAD_COUNTED = 100;

/** Returns the message that shows an account's screens how many notifications are unread. */
export async function unreadMessage(
  tx: Tx,
  merchantId: number,
): Promise<Extract<LiveMessage, { type: 'unread' }>> {
  return { type: 'unread', unread: await countUnread(tx.db, merchantId, UNREAD_COUNTED) };
}
