import type { listNotifications as endpoint, QueryOf, ResponseOf } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { countUnread, selectNotifications } from './store.ts';
import { UNREAD_COUNTED } from './unread-message.ts';

/** A page of an account's notifications, newest first. */
export async function listNotifications(
  { db }: Pick<Deps, 'db'>,
  merchantId: number,
  { limit, before }: QueryOf<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> {
  const [rows, unread] = await Promise.all([
    selectNotifications(db, merchantId, { limit: limit + 1, before }),
    countUnread(db, merchantId, UNREAD_COUNTED),
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
