import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { noteLaneChanges } from './lane-store.ts';
import {
  deleteMove,
  exhaustDeliveries,
  type Follows,
  insertMove,
  lockEndpoint,
  lockMove,
  type Move,
  moveDeliveries,
  readdressDeliveries,
} from './move-store.ts';

/** Three days of a busy merchant's deliveries are too many for one transaction. */
export const movedAtOnce = 10_000;

/**
 * Moves an endpoint's waiting deliveries to match its changed state or address: the first batch now, the rest by
 * `moveBacklogs`. Deliveries claimed before that are held instead of sent. Call it after the change, which locks the
 * endpoint before its deliveries.
 */
export async function beginMove(
  tx: Tx,
  merchantId: number,
  endpointId: string,
  follows: Follows,
): Promise<void> {
  const move = { merchantId, endpointId, follows };
  if (await moveSome(tx, move)) await insertMove(tx, move);
}

/** Moves one batch of deliveries of a changed endpoint. Above 0 there may be more. */
export async function moveBacklogs(deps: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  return inTransaction(deps, async (tx) => {
    const move = await lockMove(tx);
    if (move === undefined) return 0;
    if (!(await moveSome(tx, move))) await deleteMove(tx, move);
    return 1;
  });
}

/** Moves by the endpoint's current state, whatever it was when the move began. Returns whether there may be more. */
async function moveSome(tx: Tx, { merchantId, endpointId, follows }: Move): Promise<boolean> {
  const endpoint = await lockEndpoint(tx, merchantId, endpointId);
  if (endpoint === undefined)
    return (await exhaustDeliveries(tx, merchantId, endpointId, movedAtOnce)) === movedAtOnce;
  if (follows === 'address') {
    const readdressed = { merchantId, id: endpointId, url: endpoint.url };
    const { count, lanes } = await readdressDeliveries(tx, readdressed, movedAtOnce);
    await noteLaneChanges(tx, lanes, new Date(0));
    return count === movedAtOnce;
  }
  if (endpoint.state === 'on') return false;
  const { count, lanes } = await moveDeliveries(tx, merchantId, endpointId, {
    to: 'held',
    limit: movedAtOnce,
  });
  await noteLaneChanges(tx, lanes, null);
  return count === movedAtOnce;
}
