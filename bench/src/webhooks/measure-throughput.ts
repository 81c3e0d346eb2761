import type { JudgedCalls } from './judge-calls.ts';
import { lookAtProcesses, type Scene, settle, untilTaken } from './scene.ts';

export type ProcessorMs = Readonly<Record<keyof ReturnType<typeof lookAtProcesses>, number>>;

/** Deliveries per second to healthy endpoints, while others fail and hang. */
export type Throughput = {
  /** First deliveries to healthy endpoints, between the first bytes of the first and the last. */
  readonly deliveries: number;
  readonly seconds: number;
  readonly perSecond: number;
  readonly settledPerSecond: number;
  /** Those after all payments were settled, when only deliveries were running. */
  readonly afterSettling: { readonly deliveries: number; readonly perSecond: number };
  readonly troubled: JudgedCalls['troubled'];
  /** Per thousand deliveries, including the settlement of the payments. */
  readonly processorMsPerThousand: ProcessorMs;
  /** The same after all payments were settled. */
  readonly processorMsPerThousandAfterSettling: ProcessorMs;
  readonly faults: readonly string[];
};

/**
 * Notifies the payments prepared as `name`, a hundred per call, as fast as calls are responded to. Returns a function that
 * computes the results after the scene has ended.
 */
export async function measureThroughput(
  scene: Scene,
  name: string,
): Promise<(judged: JudgedCalls) => Throughput> {
  const well = (scene.told.get(name) ?? []).filter(({ behaviour }) => behaviour === 'well');
  const { receivers } = scene;
  const before = await receivers.countTaken();
  await receivers.makeTrouble();
  const start = lookAtProcesses(scene);
  const settled = await settle(scene, { name, perNotice: 100, connections: 4 });
  const takenThen = (await receivers.countTaken()) - before;
  const settledThen = lookAtProcesses(scene);
  await untilTaken(receivers, before + well.length);
  const end = lookAtProcesses(scene);
  return ({ firstMs, troubled, faults }) => {
    const times = Float64Array.from(well.flatMap(({ event }) => firstMs.get(event) ?? [])).sort();
    const rateFrom = (at: number) => {
      const seconds = ((times.at(-1) ?? 0) - (times[at] ?? 0)) / 1000;
      return { seconds, perSecond: seconds > 0 ? (times.length - at - 1) / seconds : 0 };
    };
    return {
      deliveries: times.length,
      ...rateFrom(0),
      settledPerSecond: settled.perSecond,
      afterSettling: { deliveries: times.length - takenThen, perSecond: rateFrom(takenThen).perSecond },
      troubled,
      processorMsPerThousand: cost(start, end, times.length),
      processorMsPerThousandAfterSettling: cost(settledThen, end, times.length - takenThen),
      faults,
    };
  };
}

function cost(from: ProcessorMs, to: ProcessorMs, deliveries: number): ProcessorMs {
  const of = (name: keyof ProcessorMs) => (deliveries > 0 ? ((to[name] - from[name]) * 1e6) / deliveries : 0);
  return {
    gateway: of('gateway'),
    postgres: of('postgres'),
    bank: of('bank'),
    load: of('load'),
    receivers: of('receivers'),
  };
}
