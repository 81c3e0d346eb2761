import type { Deps } from '../deps.ts';
import { deleteDevice } from './device-store.ts';
import { hashPushEndpoint, pushEndpointOf } from './push-subscription.ts';

/** Stops sending to a device. A device that is not registered is no error. */
export async function unregisterPush(
  { db }: Pick<Deps, 'db'>,
  merchantId: number,
  token: string,
): Promise<void> {
  const endpoint = pushEndpointOf(token);
  if (endpoint !== undefined) await deleteDevice(db, merchantId, hashPushEndpoint(endpoint));
}
