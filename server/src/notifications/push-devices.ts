import { type NotificationKind, notificationKinds } from '@jangada/contract';
import { v7 } from 'uuid';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { createAddressRules } from '../guarded-fetch/index.ts';
import type { Caller } from '../http/route.ts';
import { Refusal } from '../refusal.ts';
import { deleteLostDevices, deleteOldDeliveries } from './delivery-store.ts';
import {
  deleteDevice,
  forgetOldestDevices,
  replaceOptOuts,
  selectOptOuts,
  upsertDevice,
} from './device-store.ts';
import { hashPushEndpoint, pushEndpointOf, readPushToken } from './push-subscription.ts';
import { vapidOf } from './vapid.ts';

// Of a merchant with more devices, those that were refreshed longest ago are removed.
const maxDevices = 20;

/**
 * Registers a device (a browser with a push subscription), to which notifications are then sent until its session ends.
 * Returns the device's id, which is always the same for one device. Refused with PUSH_OFF or PUSH_TOKEN_INVALID.
 */
export async function registerPush(
  deps: Pick<Deps, 'db' | 'clock' | 'config' | 'secrets'>,
  { userId, sessionHash }: Pick<Caller, 'userId' | 'sessionHash'>,
  { token, userAgent }: { readonly token: string; readonly userAgent: string },
): Promise<string> {
  if (vapidOf(deps) === undefined) throw new Refusal('PUSH_OFF');
  if (sessionHash === undefined) throw new Refusal('UNAUTHENTICATED');
  const subscription = readPushToken(token, createAddressRules(deps.config));
  const device = {
    merchantId: userId,
    id: v7(),
    endpointHash: hashPushEndpoint(subscription.endpoint),
    sealedSubscription: deps.secrets.seal('push', JSON.stringify(subscription)),
    sessionHash,
    userAgent,
  };
  return inTransaction(deps, async (tx) => {
    const id = await upsertDevice(tx, device);
    if (id === undefined) throw new Refusal('UNAUTHENTICATED');
    await forgetOldestDevices(tx, userId, maxDevices);
    return id;
  });
}

/** Stops sending notifications to a device. Does nothing if the device is not registered. */
export async function unregisterPush(
  { db }: Pick<Deps, 'db'>,
  merchantId: number,
  token: string,
): Promise<void> {
  const endpoint = pushEndpointOf(token);
  if (endpoint !== undefined) await deleteDevice(db, merchantId, hashPushEndpoint(endpoint));
}

/** For each kind of notification, whether it is sent to the merchant's devices. */
type PushPreferences = Readonly<Record<NotificationKind, boolean>>;

export async function readPushPreferences(
  { db }: Pick<Deps, 'db'>,
  merchantId: number,
): Promise<PushPreferences> {
  const optOuts = await selectOptOuts(db, merchantId);
  const isEnabled = (kind: NotificationKind) => !optOuts.includes(kind);
  return {
    payments: isEnabled('payments'),
    withdrawals: isEnabled('withdrawals'),
    refunds: isEnabled('refunds'),
    disputes: isEnabled('disputes'),
    account: isEnabled('account'),
    operation: isEnabled('operation'),
  };
}

export async function setPushPreferences(
  deps: Pick<Deps, 'db' | 'clock'>,
  merchantId: number,
  preferences: PushPreferences,
): Promise<PushPreferences> {
  const optOuts = notificationKinds.filter((kind) => !preferences[kind]);
  await inTransaction(deps, (tx) => replaceOptOuts(tx, merchantId, optOuts));
  return readPushPreferences(deps, merchantId);
}

const dayMs = 24 * 3_600_000;
// The panel refreshes its device every 7 days while somebody opens it.
const unusedDeviceMs = 60 * dayMs;
const failingDeviceMs = 14 * dayMs;
const maxDeliveryAgeMs = 2 * dayMs;

/**
 * Deletes devices on which nobody opens the panel any more, unreachable devices, and deliveries that waited too long.
 */
export async function prunePushDevices(deps: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  await inTransaction(deps, async (tx) => {
    const timeAgo = (milliseconds: number) => new Date(tx.now.getTime() - milliseconds);
    await deleteLostDevices(tx, {
      unusedSince: timeAgo(unusedDeviceMs),
      failingSince: timeAgo(failingDeviceMs),
    });
    await deleteOldDeliveries(tx, timeAgo(maxDeliveryAgeMs));
  });
}
