import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { breakerAfter, CLOSED } from './breaker.ts';
import { type Attempt, type Delivery, stateAfter } from './delivery.ts';
import { type EndpointBreaker, lockBreakers, recordOutcomes, writeBreakers } from './delivery-store.ts';
import { noteLaneChanges } from './lane-store.ts';

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
    const byEndpoint = Map.groupBy(finished, ({ delivery }) => keyOf(delivery));
    const endpoints = [...byEndpoint.values()].flatMap(([first]) =>
      first === undefined ? [] : [first.delivery],
    );
    await noteLaneChanges(tx, endpoints);
    const before = new Map((await lockBreakers(tx, endpoints)).map((one) => [keyOf(one), one.breaker]));
    const changed = endpoints.flatMap(({ merchantId, endpoint }): EndpointBreaker[] => {
      const key = keyOf({ merchantId, endpoint });
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

function keyOf({ merchantId, endpoint }: { merchantId: number; endpoint: string }): string {
  return `${merchantId} ${endpoint}`;
}
