import type { LiveMessage } from '@jangada/contract';
import type { Tx } from '../db/transaction.ts';
import { countUnread } from './store.ts';

/** As far as unread notifications are counted. */
export const UNREAD_COUNTED = 100;

/** Tells the screens of an account how many notifications it has not read. */
export async function unreadMessage(
  tx: Tx,
  merchantId: number,
): Promise<Extract<LiveMessage, { type: 'unread' }>> {
  return { type: 'unread', unread: await countUnread(tx.db, merchantId, UNREAD_COUNTED) };
}
