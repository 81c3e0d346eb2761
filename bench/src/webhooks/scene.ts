import { setTimeout as pause } from 'node:timers/promises';
import type { Cluster } from '../receiving/cluster.ts';
import { fileOf } from '../receiving/file-of.ts';
import { type Measured, measureFigure } from '../receiving/measure-figure.ts';
import { processorSeconds } from '../receiving/processor-time.ts';
import { type BenchGateway, openStand, type Stand } from '../receiving/stand.ts';
import { verifyRound } from '../receiving/verify-round.ts';
import { type JudgedCalls, judgeCalls } from './judge-calls.ts';
import type { WebhookBenchPlan } from './options.ts';
import { type Prepared, preparePayments, type WantedPayments } from './prepare-payments.ts';
import { type Receivers, startReceivers } from './start-receivers.ts';
import { verifyDeliveries } from './verify-deliveries.ts';

/** A warmed-up gateway, endpoints, and payments ready to be notified. */
export type Scene = Prepared & {
  readonly stand: Stand;
  readonly receivers: Receivers;
  readonly gateway: BenchGateway;
};

export type SceneOptions = {
  readonly cluster: Cluster;
  readonly folder: string;
  readonly database: string;
  readonly profile: string | undefined;
  readonly plan: Pick<WebhookBenchPlan, 'endpoints' | 'warmUp'>;
  readonly wanted: readonly WantedPayments[];
  readonly onEnd: (end: () => Promise<unknown>) => void;
};

const patienceMs = 60_000;
const lookEveryMs = 20;
const mostSeconds = 300;

// Enough to compile hot code and to contact each endpoint once.
const warmUpsOf = (count: number) =>
  [
    { name: 'warm-up-one', perNotice: 1, connections: 16, count, troubled: false },
    { name: 'warm-up-hundred', perNotice: 100, connections: 4, count, troubled: false },
  ] as const;

export async function openScene(options: SceneOptions): Promise<Scene> {
  const { wanted, plan, onEnd } = options;
  const warmUps = warmUpsOf(plan.warmUp);
  const stand = await openStand(options);
  onEnd(stand.close);
  const receivers = await startReceivers(options.folder, plan.endpoints);
  onEnd(() => receivers.process.end());
  const prepared = await preparePayments(stand, receivers.urls, [...warmUps, ...wanted]);
  const scene = { stand, receivers, ...prepared, gateway: await stand.startGateway() };
  for (const { name, perNotice, connections } of warmUps)
    await settle(scene, { name, perNotice, connections });
  await untilTaken(
    receivers,
    warmUps.reduce((sum, { count }) => sum + count, 0),
  );
  return scene;
}

/** Notifies payments as fast as the gateway responds, and waits until all are credited. */
export async function settle(
  { stand, gateway, files }: Scene,
  work: { readonly name: string; readonly perNotice: number; readonly connections: number },
): Promise<Measured> {
  const settling = { kind: 'settle', merchants: 'many', receiver: 'silent', ...work } as const;
  const measured = await measureFigure(stand, gateway, settling, fileOf(files, work.name), mostSeconds);
  if (measured.faults.length > 0) throw new Error(`${work.name}: ${measured.faults.join('; ')}`);
  return measured;
}

/** Waits until this many calls got a 204, or none did for a minute; the judge detects missing ones. */
export async function untilTaken(receivers: Receivers, wanted: number): Promise<void> {
  let best = -1;
  let bestAt = performance.now();
  for (;;) {
    const taken = await receivers.countTaken();
    if (taken > best) [best, bestAt] = [taken, performance.now()];
    if (taken >= wanted || performance.now() > bestAt + patienceMs) return;
    await pause(lookEveryMs);
  }
}

/** Processor seconds used so far by all processes. */
export function lookAtProcesses({ stand, gateway, receivers }: Scene) {
  return {
    gateway: processorSeconds(gateway.process.pid),
    postgres: processorSeconds(stand.cluster.pid),
    bank: processorSeconds(stand.bank.process.pid),
    load: processorSeconds(stand.load.process.pid),
    receivers: processorSeconds(receivers.process.pid),
  };
}

/** Stops the gateway, and compares received calls, deliveries and books with the notified payments. */
export async function endScene({ stand, receivers, gateway, told }: Scene): Promise<JudgedCalls> {
  await gateway.stop();
  const calls = await receivers.readCalls();
  const all = [...told.values()].flat();
  const judged = judgeCalls(all, calls);
  const faults = [
    ...judged.faults,
    ...(await verifyDeliveries(stand, all, calls)),
    ...(await verifyRound(stand, { payments: all.length, charges: 0 })),
  ];
  await receivers.process.end();
  await stand.close();
  return { ...judged, faults };
}
