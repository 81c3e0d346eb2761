import { type Selectable, sql } from 'kysely';
import { rowsById } from '../db/arrays.ts';
import type { Db } from '../db/pool.ts';
import type { DB } from '../db/schema.ts';
import type { Tx } from '../db/transaction.ts';

/** Identifies a device and the merchant it belongs to. */
export type DeviceKey = { readonly merchantId: number; readonly deviceId: string };

/** One notification that waits to be pushed to one device. */
export type ClaimedPushDelivery = DeviceKey & { readonly notificationId: string; readonly kind: string };

/**
 * Claims all due deliveries of up to `deviceLimit` devices, and postpones them until `leasedUntil`: if the process
 * crashes, the deliveries are due again then. Skips `busyDevices`, to which this process is already sending. The
 * devices are found among the thousand deliveries that have been due for longest.
 */
export async function claimPushDeliveries(
  tx: Tx,
  {
    deviceLimit,
    busyDevices,
    leasedUntil,
  }: { deviceLimit: number; busyDevices: readonly string[]; leasedUntil: Date },
): Promise<ClaimedPushDelivery[]> {
  const { rows } = await sql<DeliveryRow>`
    with waiting as (
      select merchant_id, subscription_id from push_deliveries
      where due_at <= ${tx.now} and subscription_id <> all(${[...busyDevices]}::uuid[])
      order by due_at limit 1000
    ),
    device as (select distinct merchant_id, subscription_id from waiting limit ${deviceLimit}),
    due as (
      select delivery.merchant_id, delivery.subscription_id, delivery.notification_id
      from device join push_deliveries delivery using (merchant_id, subscription_id)
      where delivery.due_at <= ${tx.now}
      for update of delivery skip locked
    )
    update push_deliveries delivery set due_at = ${leasedUntil}
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

/** Returns a device's encrypted subscription and its recent failures, or undefined if the device was removed. */
export async function findDevice(db: Db, { merchantId, deviceId }: DeviceKey) {
  return db
    .selectFrom('push_subscriptions')
    .select(['sealed_subscription', 'failures'])
    .where('merchant_id', '=', merchantId)
    .where('id', '=', deviceId)
    .executeTakeFirst();
}

export async function selectNotificationsById(db: Db, merchantId: number, ids: readonly string[]) {
  const lookUp = sql`
    select id, title, body, data, created_at from notifications
    where merchant_id = ${merchantId} and id = wanted.id`;
  const { rows } = await sql<
    Pick<Selectable<DB['notifications']>, 'id' | 'title' | 'body' | 'data' | 'created_at'>
  >`
    select found.* from ${rowsById(ids, 'uuid', lookUp)}
  `.execute(db);
  return rows;
}

/** Deletes deliveries that were sent or are too old to send. */
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
    .set({ failing_since: null, failures: 0, paused_until: null })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', deviceId)
    .where('failing_since', 'is not', null)
    .execute();
}

/**
 * Records that a device's push service accepted no message. All deliveries of the device then wait for the next retry.
 */
export async function recordPushFailure(
  tx: Tx,
  { merchantId, deviceId }: DeviceKey,
  pausedUntil: Date,
): Promise<void> {
  await sql`
    with failing as (
      update push_subscriptions
      set failing_since = coalesce(failing_since, ${tx.now}), failures = failures + 1, paused_until = ${pausedUntil}
      where merchant_id = ${merchantId} and id = ${deviceId}
    )
    update push_deliveries set due_at = ${pausedUntil}
    where merchant_id = ${merchantId} and subscription_id = ${deviceId}
  `.execute(tx.db);
}

/** Removes a device whose subscription has ended, and its waiting deliveries. */
export async function removeDevice(tx: Tx, { merchantId, deviceId }: DeviceKey): Promise<void> {
  await sql`
    with gone as (delete from push_subscriptions where merchant_id = ${merchantId} and id = ${deviceId})
    delete from push_deliveries where merchant_id = ${merchantId} and subscription_id = ${deviceId}
  `.execute(tx.db);
}

/**
 * Removes devices not refreshed since `unusedSince`, and those whose push service has been failing since
 * `failingSince`.
 */
export async function deleteLostDevices(
  tx: Tx,
  { unusedSince, failingSince }: { unusedSince: Date; failingSince: Date },
): Promise<void> {
  await tx.db
    .deleteFrom('push_subscriptions')
    .where((eb) => eb.or([eb('refreshed_at', '<', unusedSince), eb('failing_since', '<', failingSince)]))
    .execute();
}

export async function deleteOldDeliveries(tx: Tx, dueBefore: Date): Promise<void> {
  await tx.db.deleteFrom('push_deliveries').where('due_at', '<', dueBefore).execute();
}
