import type { ReceiverBehaviour } from './behaviour.ts';
import type { ReceivedCall } from './receivers-protocol.ts';

/** An event due to an endpoint, and the endpoint's behaviour at that time. */
export type ToldEvent = {
  readonly event: string;
  readonly endpoint: number;
  readonly behaviour: ReceiverBehaviour;
};

export type JudgedCalls = {
  /** When the first byte of each event's first call arrived. */
  readonly firstMs: ReadonlyMap<string, number>;
  /** First calls and retries at failing or hanging endpoints. */
  readonly troubled: {
    readonly failing: { readonly first: number; readonly retries: number };
    readonly hanging: { readonly first: number; readonly retries: number };
  };
  /** Any fault voids the measurement. */
  readonly faults: readonly string[];
};

/** Healthy endpoints must have received each of their events exactly once, and no endpoint another's. */
export function judgeCalls(told: readonly ToldEvent[], calls: readonly ReceivedCall[]): JudgedCalls {
  const wanted = new Map(told.map((one) => [one.event, one]));
  const counts = new Map<string, number>();
  const firstMs = new Map<string, number>();
  let strange = 0;
  for (const { event, endpoint, atMs } of calls) {
    if (wanted.get(event)?.endpoint !== endpoint) {
      strange += 1;
      continue;
    }
    counts.set(event, (counts.get(event) ?? 0) + 1);
    if (!firstMs.has(event)) firstMs.set(event, atMs);
  }
  const well = told.filter(({ behaviour }) => behaviour === 'well');
  const missing = well.filter(({ event }) => !counts.has(event)).length;
  const repeated = well.filter(({ event }) => (counts.get(event) ?? 0) > 1).length;
  const callsOf = (behaviour: ReceiverBehaviour) => {
    const numbers = told.flatMap((one) => (one.behaviour === behaviour ? [counts.get(one.event) ?? 0] : []));
    return {
      first: numbers.filter((number) => number > 0).length,
      retries: numbers.reduce((sum, number) => sum + Math.max(0, number - 1), 0),
    };
  };
  return {
    firstMs,
    troubled: { failing: callsOf('failing'), hanging: callsOf('hanging') },
    faults: [
      ...(strange > 0 ? [`${strange} calls of what nobody told, or at another's endpoint`] : []),
      ...(missing > 0 ? [`${missing} events did not reach an endpoint that is well`] : []),
      ...(repeated > 0 ? [`${repeated} events came more than once to an endpoint that is well`] : []),
    ],
  };
}
