// Judges, at the end of a round of the webhook bench, whether each event reached its endpoint as it should.
import type { TestRig } from '../receiving/test-rig.ts';
import type { ReceivedCall, ReceiverBehaviour } from './receivers-protocol.ts';

/** An event that must be delivered to an endpoint, and the endpoint's behaviour at that time. */
export type DueEvent = {
  readonly event: string;
  /** The index of the endpoint among all endpoints. */
  readonly endpoint: number;
  readonly behaviour: ReceiverBehaviour;
};

/** `first` counts the events for which at least one call arrived, `retries` all calls after the first of each event. */
type CallCounts = { readonly first: number; readonly retries: number };

export type JudgedCalls = {
  /** When the first byte of each event's first call arrived, by the event's id. */
  readonly firstMs: ReadonlyMap<string, number>;
  /** The calls to failing and to hanging endpoints. */
  readonly troubled: { readonly failing: CallCounts; readonly hanging: CallCounts };
  /** Any fault voids the measurement. */
  readonly faults: readonly string[];
};

/**
 * Counts the calls, and finds the faults. A healthy endpoint must have received each of its events exactly once. No
 * endpoint may have received an event meant for another.
 */
export function judgeCalls(dueEvents: readonly DueEvent[], calls: readonly ReceivedCall[]): JudgedCalls {
  const dueById = new Map(dueEvents.map((due) => [due.event, due]));
  const callCounts = new Map<string, number>();
  const firstMs = new Map<string, number>();
  let misdirectedCount = 0;
  for (const { event, endpoint, atMs } of calls) {
    if (dueById.get(event)?.endpoint !== endpoint) {
      misdirectedCount += 1;
      continue;
    }
    callCounts.set(event, (callCounts.get(event) ?? 0) + 1);
    if (!firstMs.has(event)) firstMs.set(event, atMs);
  }
  const dueToHealthy = dueEvents.filter(({ behaviour }) => behaviour === 'healthy');
  const missingCount = dueToHealthy.filter(({ event }) => !callCounts.has(event)).length;
  const repeatedCount = dueToHealthy.filter(({ event }) => (callCounts.get(event) ?? 0) > 1).length;
  const countsOf = (behaviour: ReceiverBehaviour): CallCounts => {
    const counts = dueEvents
      .filter((due) => due.behaviour === behaviour)
      .map(({ event }) => callCounts.get(event) ?? 0);
    return {
      first: counts.filter((count) => count > 0).length,
      retries: counts.reduce((sum, count) => sum + Math.max(0, count - 1), 0),
    };
  };
  return {
    firstMs,
    troubled: { failing: countsOf('failing'), hanging: countsOf('hanging') },
    faults: [
      ...(misdirectedCount > 0
        ? [`${misdirectedCount} calls of what nobody told, or at another's endpoint`]
        : []),
      ...(missingCount > 0 ? [`${missingCount} events did not reach an endpoint that is well`] : []),
      ...(repeatedCount > 0
        ? [`${repeatedCount} events came more than once to an endpoint that is well`]
        : []),
    ],
  };
}

/**
 * Compares the deliveries and attempts that the gateway stored with the calls received, after the gateway has
 * stopped. Returns the faults.
 */
export async function verifyDeliveries(
  { pool }: TestRig,
  dueEvents: readonly DueEvent[],
  calls: readonly ReceivedCall[],
): Promise<string[]> {
  const { rows } = await pool.query<{ name: string; count: number }>(`
    select 'deliveries that were taken' as name, count(*)::int from webhook_deliveries where state = 'delivered'
    union all select 'deliveries given up', count(*)::int from webhook_deliveries
                     where state not in ('delivered', 'waiting')
    union all select 'attempts answered ' || (attempt ->> 'status'), count(*)::int
              from webhook_deliveries, jsonb_array_elements(attempts) attempt group by 1`);
  const stored = new Map(rows.map(({ name, count }) => [name, count]));
  const callsWithStatus = (status: number) => calls.filter((call) => call.status === status).length;
  const expected = {
    'deliveries that were taken': dueEvents.filter(({ behaviour }) => behaviour === 'healthy').length,
    'deliveries given up': 0,
    'attempts answered 204': callsWithStatus(204),
    'attempts answered 500': callsWithStatus(500),
  };
  return Object.entries(expected).flatMap(([name, count]) =>
    (stored.get(name) ?? 0) === count ? [] : [`${name}: ${stored.get(name)}, wanted ${count}`],
  );
}
