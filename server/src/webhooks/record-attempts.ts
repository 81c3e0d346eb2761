import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { breakerAfter, CLOSED } from './breaker.ts';
import { type Attempt, type Delivery, stateAfter } from './delivery.ts';
import { type EndpointBreaker, lockBreakers, recordOutcomes, writeBreakers } from './delivery-store.ts';
import { laneKey, noteLaneChanges } from './lane-store.ts';

export type FinishedAttempt = { readonly delivery: Delivery; readonly attempt: Attempt };

/** Keeps what attempts came to, in the order in which they ended: their deliveries, and their endpoints' breakers. */
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
  });
}
