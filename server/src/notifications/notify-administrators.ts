import { sql } from 'kysely';
import { v7 } from 'uuid';
import type { Tx } from '../db/transaction.ts';
import { type OutboxMessage, writeMessages } from '../outbox/index.ts';
import { createUnreadMessage } from './list-notifications.ts';
import { saveNotifications } from './save-notifications.ts';

type AdministratorNotification = {
  readonly type: `operation.${string}`;
  readonly title: string;
  readonly body: string;
  /** The id of the object that the notification is about, for example a withdrawal, if there is one such object. */
  readonly id?: string;
  /** If set, an administrator with an unread notification of this type from the last hour gets no further one. */
  readonly hourly?: true;
};

/** Returns the notification to send when the gateway itself stops all payouts. `reason` is a clause in Portuguese. */
export function payoutsStoppedNotification(reason: string): AdministratorNotification {
  const body = `Nada mais sai do banco: ${reason}. Veja em Saques dos lojistas.`;
  return { type: 'operation.payouts-stopped', title: 'Os envios pararam', body };
}

/** There are few administrators. If there are more than this, those with the highest ids get no notification. */
const maxRecipients = 100;
const hourMs = 3_600_000;

/** Notifies every administrator of something that one of them must handle, in the transaction that causes it. */
export async function notifyAdministrators(
  tx: Tx,
  { type, title, body, id, hourly }: AdministratorNotification,
): Promise<void> {
  const ids = await findRecipients(tx, hourly === true ? type : undefined);
  const data = { type, ...(id !== undefined && { id }) };
  await writeMessages(
    tx,
    await saveNotifications(
      tx,
      ids.map((merchantId) => ({ merchantId, title, body, data })),
    ),
  );
}

/**
 * Returns the administrators that are not frozen. If a type is given, it omits those who have an unread notification of
 * that type from the last hour.
 */
async function findRecipients(tx: Tx, type: string | undefined): Promise<number[]> {
  // Ids begin with their time, so the primary key finds the notifications of the last hour.
  const since = v7({ msecs: tx.now.getTime() - hourMs, seq: 0, random: new Uint8Array(16) });
  const withoutRecentUnread =
    type === undefined
      ? sql``
      : sql`and not exists (
          select from notifications recent
          where recent.merchant_id = administrator.id and recent.id >= ${since}::uuid
            and recent.read_at is null and recent.data ->> 'type' = ${type}
            and not exists (
              select from notification_marks mark
              where mark.merchant_id = administrator.id and mark.read_until >= recent.id))`;
  const { rows } = await sql<{ id: number }>`
    select id from users administrator
    where role = 'ADMIN' and frozen_at is null and id > 0 ${withoutRecentUnread}
    order by id limit ${maxRecipients}
  `.execute(tx.db);
  return rows.map(({ id }) => id);
}

/** How many of an administrator's newest notifications are considered; the panel counts fewer unread ones anyway. */
const maxRowsRead = 1000;

/** Marks all unread notifications of a type as read, because the matter is settled, and updates the open screens. */
export async function retractAdministratorNotifications(
  tx: Tx,
  type: AdministratorNotification['type'],
): Promise<void> {
  const { rows } = await sql<{ merchantId: number }>`
    with settled as (
      update notifications set read_at = ${tx.now}
      from (
        select notification.merchant_id, notification.id
        from users administrator
        cross join lateral (
          select id from notifications where merchant_id = administrator.id order by id desc limit ${maxRowsRead}
        ) newest
        join notifications notification on notification.merchant_id = administrator.id and notification.id = newest.id
        where administrator.role = 'ADMIN' and administrator.id > 0
          and notification.read_at is null and notification.data ->> 'type' = ${type}
        order by notification.merchant_id, notification.id
        -- A locked row is being marked as read by its owner.
        for update of notification skip locked
      ) unread
      where notifications.merchant_id = unread.merchant_id and notifications.id = unread.id
      returning notifications.merchant_id
    )
    select distinct merchant_id as "merchantId" from settled order by 1
  `.execute(tx.db);
  const messages: OutboxMessage[] = [];
  for (const { merchantId } of rows)
    messages.push({ merchantId, message: await createUnreadMessage(tx, merchantId) });
  await writeMessages(tx, messages);
}
