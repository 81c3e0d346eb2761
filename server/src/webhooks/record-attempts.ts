import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { type Delivery, type DeliveryAttempt, isTaken, stateAfter } from './delivery.ts';
import { type EndpointBreaker, lockBreakers, recordOutcomes, writeBreakers } from './delivery-store.ts';
import { type ReceiverTurn, recordHealth } from './health-store.ts';
import { laneKey, noteLaneChanges } from './lane-store.ts';
import { breakerAfter, CLOSED } from './retry-schedule.ts';
import { turnOffWebhookEndpoint } from './turn-off-webhook-endpoint.ts';

export type FinishedAttempt = { readonly delivery: Delivery; readonly attempt: DeliveryAttempt };

/** Records finished attempts in the order in which they ended, with their deliveries and their endpoints' breakers. */
export async function recordAttempts(
  deps: Pick<Deps, 'db' | 'clock'>,
  finished: readonly FinishedAttempt[],
): Promise<void> {
  await inTransaction(deps, async (tx) => {
    const outcomes = finished.map(({ delivery, attempt }) => ({
      delivery,
      attempt,
      ...stateAfter(delivery, attempt, tx.now, Math.random()),
    }));
    await recordOutcomes(tx, outcomes);
    const byEndpoint = Map.groupBy(finished, ({ delivery }) => laneKey(delivery));
    const endpoints = [...byEndpoint.values()].flatMap(([first]) =>
      first === undefined ? [] : [first.delivery],
    );
    await noteLaneChanges(tx, endpoints, null);
    const again = outcomes.filter(({ state }) => state === 'waiting');
    if (again.length > 0)
      await noteLaneChanges(
        tx,
        again.map(({ delivery }) => delivery),
        new Date(Math.min(...again.map(({ dueAt }) => dueAt.getTime()))),
      );
    const before = new Map((await lockBreakers(tx, endpoints)).map((one) => [laneKey(one), one.breaker]));
    const changed = endpoints.flatMap(({ merchantId, endpoint }): EndpointBreaker[] => {
      const key = laneKey({ merchantId, endpoint });
      const known = before.get(key) ?? CLOSED;
      const breaker = (byEndpoint.get(key) ?? []).reduce(
        (state, { attempt }) => breakerAfter(state, attempt.error === 'timed-out', tx.now),
        known,
      );
      return breaker.timeouts === known.timeouts ? [] : [{ merchantId, endpoint, breaker }];
    });
    if (changed.length > 0) await writeBreakers(tx, changed);
    await recordHealth(tx, turnsOf(finished));
  });
  // In a separate transaction: turning an endpoint off locks it before its deliveries.
  for (const { merchantId, endpointId } of unwanted(finished))
    await inTransaction(deps, (tx) => turnOffWebhookEndpoint(tx, merchantId, endpointId, 'gone'));
}

/** The combined result of each receiver's attempts. */
function turnsOf(finished: readonly FinishedAttempt[]): ReceiverTurn[] {
  const byReceiver = Map.groupBy(
    finished,
    ({ delivery }) => `${delivery.merchantId} ${receiverOf(delivery)}`,
  );
  return [...byReceiver.values()].flatMap((attempts): ReceiverTurn[] => {
    const [first] = attempts;
    if (first === undefined) return [];
    const times = (list: readonly FinishedAttempt[]) => list.map(({ attempt }) => attempt.at);
    const lastTaken = attempts.findLastIndex(({ attempt }) => isTaken(attempt));
    const failed = times(attempts.slice(lastTaken + 1));
    return [
      {
        merchantId: first.delivery.merchantId,
        receiver: receiverOf(first.delivery),
        isEndpoint: first.delivery.endpointId !== null,
        deliveredAt: attempts[lastTaken]?.attempt.at ?? null,
        failures: failed.length,
        failedFrom: failed.at(0) ?? null,
        failedUntil: failed.at(-1) ?? null,
      },
    ];
  });
}

function receiverOf({ endpointId, endpoint }: Delivery): string {
  return endpointId ?? endpoint;
}

/** Endpoints that answered 410 and want no more webhooks. */
function unwanted(finished: readonly FinishedAttempt[]) {
  const gone = finished.flatMap(({ delivery: { merchantId, endpointId }, attempt }) =>
    attempt.status === 410 && endpointId !== null ? [{ merchantId, endpointId }] : [],
  );
  return new Map(gone.map((one) => [one.endpointId, one])).values();
}
