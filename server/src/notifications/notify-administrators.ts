import { sql } from 'kysely';
import { v7 } from 'uuid';
import type { Tx } from '../db/transaction.ts';
import { type OutboxMessage, writeMessages } from '../outbox/index.ts';
import { unreadMessage } from './list.ts';
import { saveNotifications } from './save-notifications.ts';

type OperationNews = {
  readonly type: `operation.${string}`;
  readonly title: string;
  readonly body: string;
  /** What it speaks of, where one thing is meant. */
  readonly id?: string;
  /** Many of a kind may come at once: an administrator with an unread one from the last hour gets no further one. */
  readonly hourly?: true;
};

/** The notification for administrators when payouts stop on their own. `reason`: a clause in Portuguese. */
export function payoutsStoppedNotification(reason: string): OperationNews {
  const body = `Nada mais sai do banco: ${reason}. Veja em Saques dos lojistas.`;
  return { type: 'operation.payouts-stopped', title: 'Os envios pararam', body };
}

/** They are few; whoever makes more of them than this is told nothing by it. */
const mostTold = 100;
const hourMs = 3_600_000;

/** Notifies every administrator, in the transaction that causes it, of something that needs one of them. */
export async function notifyAdministrators(
  tx: Tx,
  { type, title, body, id, hourly }: OperationNews,
): Promise<void> {
  const ids = await findUntold(tx, hourly === true ? type : undefined);
  const data = { type, ...(id !== undefined && { id }) };
  await writeMessages(
    tx,
    await saveNotifications(
      tx,
      ids.map((merchantId) => ({ merchantId, title, body, data })),
    ),
  );
}

/** Administrators that are not frozen; given a type, only those without an unread one of it from the last hour. */
async function findUntold(tx: Tx, type: string | undefined): Promise<number[]> {
  // Ids begin with their time, so the hour is read by the key.
  const since = v7({ msecs: tx.now.getTime() - hourMs, seq: 0, random: new Uint8Array(16) });
  const untold =
    type === undefined
      ? sql``
      : sql`and not exists (
          select from notifications known
          where known.merchant_id = administrator.id and known.id >= ${since}::uuid
            and known.read_at is null and known.data ->> 'type' = ${type}
            and not exists (
              select from notification_marks mark
              where mark.merchant_id = administrator.id and mark.read_until >= known.id))`;
  const { rows } = await sql<{ id: number }>`
    select id from users administrator
    where role = 'ADMIN' and frozen_at is null and id > 0 ${untold}
    order by id limit ${mostTold}
  `.execute(tx.db);
  return rows.map(({ id }) => id);
}

/** Of the newest so many of an administrator: the bell counts far fewer. */
const mostLookedAt = 1000;

/** What administrators were told of is settled: who has not read it need not any more. */
export async function retractAdministratorNotifications(tx: Tx, type: OperationNews['type']): Promise<void> {
  const { rows } = await sql<{ merchantId: number }>`
    with settled as (
      update notifications set read_at = ${tx.now}
      from (
        select known.merchant_id, known.id
        from users administrator
        cross join lateral (
          select id from notifications where merchant_id = administrator.id order by id desc limit ${mostLookedAt}
        ) newest
        join notifications known on known.merchant_id = administrator.id and known.id = newest.id
        where administrator.role = 'ADMIN' and administrator.id > 0
          and known.read_at is null and known.data ->> 'type' = ${type}
        order by known.merchant_id, known.id
        -- Whoever reads them at this moment has read them.
        for update of known skip locked
      ) told
      where notifications.merchant_id = told.merchant_id and notifications.id = told.id
      returning notifications.merchant_id
    )
    select distinct merchant_id as "merchantId" from settled order by 1
  `.execute(tx.db);
  const messages: OutboxMessage[] = [];
  for (const { merchantId } of rows)
    messages.push({ merchantId, message: await unreadMessage(tx, merchantId) });
  await writeMessages(tx, messages);
}
