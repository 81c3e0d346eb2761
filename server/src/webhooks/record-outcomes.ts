import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { type DeliveryOutcome, isAccepted, isEndpoint } from './delivery.ts';
import { type LogPosition, moveCursors, recordOutcomes } from './delivery-store.ts';
import { type ReceiverResults, recordHealth } from './health-store.ts';
import type { Breaker } from './retry-schedule.ts';

/** The outcome of a delivery, and the circuit breaker of its receiver after it. */
export type FinishedDelivery = DeliveryOutcome & { readonly breaker: Breaker };

/**
 * Stores the outcomes of deliveries, moves the cursors past their events, and records the health of their receivers, in
 * one transaction. `finished` must be in the order in which the deliveries ended.
 */
export async function recordFinishedDeliveries(
  deps: Pick<Deps, 'db' | 'clock'>,
  finished: readonly FinishedDelivery[],
  cursors: readonly LogPosition[],
): Promise<void> {
  await inTransaction(deps, async (tx) => {
    await recordOutcomes(tx, finished);
    await moveCursors(tx, cursors);
    await recordHealth(tx, combineResults(finished));
  });
}

/** Combines the attempts of each receiver into one result. Deliveries that ended without an attempt do not count. */
function combineResults(finished: readonly FinishedDelivery[]): ReceiverResults[] {
  const byReceiver = Map.groupBy(
    finished.flatMap(({ attempt, ...rest }) => (attempt === undefined ? [] : [{ ...rest, attempt }])),
    ({ delivery: { merchantId, receiver } }) => `${merchantId} ${receiver}`,
  );
  return [...byReceiver.values()].flatMap((attempted): ReceiverResults[] => {
    const last = attempted.at(-1);
    if (last === undefined) return [];
    const lastAcceptedIndex = attempted.findLastIndex(({ attempt }) => isAccepted(attempt));
    const failedAt = attempted.slice(lastAcceptedIndex + 1).map(({ attempt }) => attempt.at);
    return [
      {
        merchantId: last.delivery.merchantId,
        receiver: last.delivery.receiver,
        isEndpoint: isEndpoint(last.delivery.receiver),
        deliveredAt: attempted[lastAcceptedIndex]?.attempt.at ?? null,
        failures: failedAt.length,
        failedFrom: failedAt.at(0) ?? null,
        failedUntil: failedAt.at(-1) ?? null,
        breaker: last.breaker,
      },
    ];
  });
}
