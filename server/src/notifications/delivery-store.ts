import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';

/** Identifies a device and the merchant it belongs to. */
export type DeviceKey = { readonly merchantId: number; readonly deviceId: string };

export type ClaimedPushDelivery = DeviceKey & { readonly notificationId: string; readonly kind: string };

/**
 * Takes everything that is due for some devices, and says that it is under way until then. `busy`: devices that this
 * process is writing to already.
 */
export async function claimPushDeliveries(
  tx: Tx,
  { devices, busy, until }: { devices: number; busy: readonly string[]; until: Date },
): Promise<ClaimedPushDelivery[]> {
  const { rows } = await sql<DeliveryRow>`
    with waiting as (
      select merchant_id, subscription_id from push_deliveries
      where due_at <= ${tx.now} and subscription_id <> all(${[...busy]}::uuid[])
      order by due_at limit 1000
    ),
    device as (select distinct merchant_id, subscription_id from waiting limit ${devices}),
    due as (
      select delivery.merchant_id, delivery.subscription_id, delivery.notification_id
      from device join push_deliveries delivery using (merchant_id, subscription_id)
      where delivery.due_at <= ${tx.now}
      for update of delivery skip locked
    )
    update push_deliveries delivery set due_at = ${until}
    from due
    where delivery.merchant_id = due.merchant_id and delivery.subscription_id = due.subscription_id
      and delivery.notification_id = due.notification_id
    returning delivery.merchant_id, delivery.subscription_id, delivery.notification_id, delivery.kind
  `.execute(tx.db);
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    deviceId: row.subscription_id,
    notificationId: row.notification_id,
    kind: row.kind,
  }));
}

type DeliveryRow = { merchant_id: number; subscription_id: string; notification_id: string; kind: string };

/** Returns where to send a device's pushes and how often that failed lately; undefined when the device is gone. */
export async function findDevice(db: Db, { merchantId, deviceId }: DeviceKey) {
  return db
    .selectFrom('push_subscriptions')
    .select(['sealed_subscription', 'failures'])
    .where('merchant_id', '=', merchantId)
    .where('id', '=', deviceId)
    .executeTakeFirst();
}

export async function selectTold(db: Db, merchantId: number, ids: readonly string[]) {
  return db
    .selectFrom('notifications')
    .select(['id', 'title', 'body', 'data', 'created_at'])
    .where('merchant_id', '=', merchantId)
    .where('id', 'in', [...ids])
    .execute();
}

/** Deletes deliveries that arrived or are too old to be news. */
export async function deleteDeliveries(
  tx: Tx,
  { merchantId, deviceId }: DeviceKey,
  notificationIds: readonly string[],
): Promise<void> {
  await sql`
    delete from push_deliveries
    where merchant_id = ${merchantId} and subscription_id = ${deviceId}
      and notification_id = any(${[...notificationIds]}::uuid[])
  `.execute(tx.db);
}

/** Records that a device's push service accepted a message. */
export async function recordPushSuccess(tx: Tx, { merchantId, deviceId }: DeviceKey): Promise<void> {
  await tx.db
    .updateTable('push_subscriptions')
    .set({ failing_since: null, failures: 0, rests_until: null })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', deviceId)
    .where('failing_since', 'is not', null)
    .execute();
}

/** Records that a push service accepted nothing: everything waiting for the device waits until the next retry. */
export async function recordPushFailure(
  tx: Tx,
  { merchantId, deviceId }: DeviceKey,
  restsUntil: Date,
): Promise<void> {
  await sql`
    with failing as (
      update push_subscriptions
      set failing_since = coalesce(failing_since, ${tx.now}), failures = failures + 1, rests_until = ${restsUntil}
      where merchant_id = ${merchantId} and id = ${deviceId}
    )
    update push_deliveries set due_at = ${restsUntil}
    where merchant_id = ${merchantId} and subscription_id = ${deviceId}
  `.execute(tx.db);
}

/** Removes a device that is gone, and its waiting deliveries. */
export async function removeDevice(tx: Tx, { merchantId, deviceId }: DeviceKey): Promise<void> {
  await sql`
    with gone as (delete from push_subscriptions where merchant_id = ${merchantId} and id = ${deviceId})
    delete from push_deliveries where merchant_id = ${merchantId} and subscription_id = ${deviceId}
  `.execute(tx.db);
}

/** Removes devices that were not refreshed since then, and those whose service has failed since then. */
export async function deleteLostDevices(
  tx: Tx,
  { unusedSince, failingSince }: { unusedSince: Date; failingSince: Date },
): Promise<void> {
  await tx.db
    .deleteFrom('push_subscriptions')
    .where((or) => or.or([or('refreshed_at', '<', unusedSince), or('failing_since', '<', failingSince)]))
    .execute();
}

export async function deleteOldDeliveries(tx: Tx, dueBefore: Date): Promise<void> {
  await tx.db.deleteFrom('push_deliveries').where('due_at', '<', dueBefore).execute();
}
