import type { JudgedCalls } from './judge-calls.ts';
import { readProcessorSeconds, settlePayments, type WebhookRig, waitUntilAccepted } from './webhook-rig.ts';

/** Processor time of each process in milliseconds. */
export type ProcessorMs = Readonly<Record<keyof ReturnType<typeof readProcessorSeconds>, number>>;

/** Deliveries per second to healthy endpoints, while others fail and hang. */
export type Throughput = {
  /** The number of first deliveries to healthy endpoints. */
  readonly deliveries: number;
  /** The time from the first byte of the first of these deliveries to the first byte of the last. */
  readonly seconds: number;
  readonly perSecond: number;
  /** Payments settled per second. */
  readonly settledPerSecond: number;
  /** The deliveries after all payments were settled, when the gateway had nothing else to do. */
  readonly afterSettling: { readonly deliveries: number; readonly perSecond: number };
  /** The calls to failing and to hanging endpoints. */
  readonly troubled: JudgedCalls['troubled'];
  /** The processor time of each process per thousand deliveries, including the settlement of the payments. */
  readonly processorMsPerThousand: ProcessorMs;
  /** The processor time of each process per thousand deliveries after all payments were settled. */
  readonly processorMsPerThousandAfterSettling: ProcessorMs;
  readonly faults: readonly string[];
};

/**
 * Notifies the gateway of the payments prepared as `name`, a hundred per call, as fast as it responds.
 * Returns a function that computes the results when the rig has stopped and its calls are judged.
 */
export async function measureThroughput(
  webhookRig: WebhookRig,
  name: string,
): Promise<(judged: JudgedCalls) => Throughput> {
  const dueToHealthy = (webhookRig.payments.get(name) ?? []).filter(
    ({ behaviour }) => behaviour === 'healthy',
  );
  const { receivers } = webhookRig;
  const acceptedBefore = await receivers.countAccepted();
  await receivers.startFailures();
  const start = readProcessorSeconds(webhookRig);
  const settled = await settlePayments(webhookRig, { name, paymentsPerNotification: 100, connections: 4 });
  const acceptedWhileSettling = (await receivers.countAccepted()) - acceptedBefore;
  const afterSettling = readProcessorSeconds(webhookRig);
  await waitUntilAccepted(receivers, acceptedBefore + dueToHealthy.length);
  const end = readProcessorSeconds(webhookRig);
  return ({ firstMs, troubled, faults }) => {
    const arrivalMs = Float64Array.from(dueToHealthy.flatMap(({ event }) => firstMs.get(event) ?? [])).sort();
    const rateFrom = (index: number) => {
      const seconds = ((arrivalMs.at(-1) ?? 0) - (arrivalMs[index] ?? 0)) / 1000;
      return { seconds, perSecond: seconds > 0 ? (arrivalMs.length - index - 1) / seconds : 0 };
    };
    return {
      deliveries: arrivalMs.length,
      ...rateFrom(0),
      settledPerSecond: settled.perSecond,
      afterSettling: {
        deliveries: arrivalMs.length - acceptedWhileSettling,
        perSecond: rateFrom(acceptedWhileSettling).perSecond,
      },
      troubled,
      processorMsPerThousand: costPerThousand(start, end, arrivalMs.length),
      processorMsPerThousandAfterSettling: costPerThousand(
        afterSettling,
        end,
        arrivalMs.length - acceptedWhileSettling,
      ),
      faults,
    };
  };
}

function costPerThousand(from: ProcessorMs, to: ProcessorMs, deliveries: number): ProcessorMs {
  const costOf = (name: keyof ProcessorMs) =>
    deliveries > 0 ? ((to[name] - from[name]) * 1e6) / deliveries : 0;
  return {
    gateway: costOf('gateway'),
    postgres: costOf('postgres'),
    bank: costOf('bank'),
    load: costOf('load'),
    receivers: costOf('receivers'),
  };
}
