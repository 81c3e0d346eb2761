import { type NotificationKind, notificationKinds } from '@jangada/contract';
import { v7 } from 'uuid';
import { inTransaction, violatedConstraint } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { addressRules } from '../guarded-fetch/index.ts';
import type { Caller } from '../http/route.ts';
import { Refusal } from '../refusal.ts';
import { deleteLostDevices, deleteOldDeliveries } from './delivery-store.ts';
import {
  deleteDevice,
  forgetOldestDevices,
  replaceRefusedKinds,
  selectRefusedKinds,
  upsertDevice,
} from './device-store.ts';
import { hashPushEndpoint, pushEndpointOf, readPushToken } from './push-subscription.ts';
import { vapidOf } from './vapid.ts';

const devicesKept = 20;

/**
 * Has notifications sent to a device until its session ends. Returns the device's id, always the same for one device.
 */
export async function registerPush(
  deps: Pick<Deps, 'db' | 'clock' | 'config' | 'secrets'>,
  { userId, sessionHash }: Pick<Caller, 'userId' | 'sessionHash'>,
  { token, userAgent }: { readonly token: string; readonly userAgent: string },
): Promise<string> {
  if (vapidOf(deps) === undefined) throw new Refusal('PUSH_OFF');
  if (sessionHash === undefined) throw new Refusal('UNAUTHENTICATED');
  const subscription = readPushToken(token, addressRules(deps.config));
  const device = {
    merchantId: userId,
    id: v7(),
    endpointHash: hashPushEndpoint(subscription.endpoint),
    sealedSubscription: deps.secrets.seal('push', JSON.stringify(subscription)),
    sessionHash,
    userAgent,
  };
  try {
    return await inTransaction(deps, async (tx) => {
      const id = await upsertDevice(tx, device);
      if (id === undefined) throw new Refusal('UNAUTHENTICATED');
      await forgetOldestDevices(tx, userId, devicesKept);
      return id;
    });
  } catch (error) {
    // The session ended in the meantime.
    if (violatedConstraint(error) === 'push_subscriptions_session_hash_fkey')
      throw new Refusal('UNAUTHENTICATED');
    throw error;
  }
}

/** Stops sending to a device. A device that is not registered is no error. */
export async function unregisterPush(
  { db }: Pick<Deps, 'db'>,
  merchantId: number,
  token: string,
): Promise<void> {
  const endpoint = pushEndpointOf(token);
  if (endpoint !== undefined) await deleteDevice(db, merchantId, hashPushEndpoint(endpoint));
}

/** Whether each kind is sent to the devices. */
type PushPreferences = Readonly<Record<NotificationKind, boolean>>;

export async function readPushPreferences(
  { db }: Pick<Deps, 'db'>,
  merchantId: number,
): Promise<PushPreferences> {
  const refused = await selectRefusedKinds(db, merchantId);
  const wants = (kind: NotificationKind) => !refused.includes(kind);
  return {
    payments: wants('payments'),
    withdrawals: wants('withdrawals'),
    refunds: wants('refunds'),
    disputes: wants('disputes'),
    account: wants('account'),
    operation: wants('operation'),
  };
}

export async function setPushPreferences(
  deps: Pick<Deps, 'db' | 'clock'>,
  merchantId: number,
  wanted: PushPreferences,
): Promise<PushPreferences> {
  const refused = notificationKinds.filter((kind) => !wanted[kind]);
  await inTransaction(deps, (tx) => replaceRefusedKinds(tx, merchantId, refused));
  return readPushPreferences(deps, merchantId);
}

const dayMs = 24 * 3_600_000;
// Opening the panel refreshes its device every 7 days.
const unusedMs = 60 * dayMs;
const failingMs = 14 * dayMs;
const waitedMs = 2 * dayMs;

/**
 * Deletes devices on which nobody opens the panel any more, unreachable devices, and deliveries that waited too long.
 */
export async function prunePushDevices(deps: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  await inTransaction(deps, async (tx) => {
    const before = (milliseconds: number) => new Date(tx.now.getTime() - milliseconds);
    await deleteLostDevices(tx, { unusedSince: before(unusedMs), failingSince: before(failingMs) });
    await deleteOldDeliveries(tx, before(waitedMs));
  });
}
