import { v7 } from 'uuid';
import { inTransaction, violatedConstraint } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { addressRules } from '../guarded-fetch/index.ts';
import type { Caller } from '../http/route.ts';
import { Refusal } from '../refusal.ts';
import { forgetOldestDevices, upsertDevice } from './device-store.ts';
import { hashPushEndpoint, readPushToken } from './push-subscription.ts';
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
