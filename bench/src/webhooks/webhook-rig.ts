import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../receiving/cluster.ts';
import { type Measured, measureFigure } from '../receiving/measure-figure.ts';
import { preparedFileOf } from '../receiving/prepare-round.ts';
import { processorSeconds } from '../receiving/processor-time.ts';
import { type BenchGateway, openTestRig, type TestRig } from '../receiving/test-rig.ts';
import { verifyRound } from '../receiving/verify-round.ts';
import { type JudgedCalls, judgeCalls, verifyDeliveries } from './judge-calls.ts';
import type { WebhookBenchPlan } from './options.ts';
import { type PaymentGroup, type PreparedGroups, preparePayments } from './prepare-payments.ts';
import { type Receivers, startReceivers } from './start-receivers.ts';

/**
 * Everything that one round of the webhook bench needs: a warmed-up gateway with its database and bank, the
 * merchants' endpoints, and payments of which the gateway is not notified yet.
 */
export type WebhookRig = PreparedGroups & {
  readonly rig: TestRig;
  readonly receivers: Receivers;
  readonly gateway: BenchGateway;
};

export type WebhookRigOptions = {
  readonly cluster: Cluster;
  readonly folder: string;
  readonly database: string;
  readonly profile: string | undefined;
  readonly plan: Pick<WebhookBenchPlan, 'endpoints' | 'warmUp'>;
  readonly groups: readonly PaymentGroup[];
  readonly onEnd: (end: () => Promise<unknown>) => void;
};

const timeoutMs = 60_000;
const pollIntervalMs = 20;
const maxSettlingSeconds = 300;

/** Returns the payments of the warm-up: enough to compile hot code, and to call each endpoint at least once. */
const warmUpGroups = (count: number) =>
  [
    { name: 'warm-up-one', paymentsPerNotification: 1, connections: 16, count, someEndpointsFail: false },
    {
      name: 'warm-up-hundred',
      paymentsPerNotification: 100,
      connections: 4,
      count,
      someEndpointsFail: false,
    },
  ] as const;

export async function openWebhookRig(options: WebhookRigOptions): Promise<WebhookRig> {
  const { groups, plan, onEnd } = options;
  const warmUps = warmUpGroups(plan.warmUp);
  const rig = await openTestRig(options);
  onEnd(rig.close);
  const receivers = await startReceivers(options.folder, plan.endpoints);
  onEnd(() => receivers.process.end());
  const prepared = await preparePayments(rig, receivers.urls, [...warmUps, ...groups]);
  const webhookRig = { rig, receivers, ...prepared, gateway: await rig.startGateway() };
  for (const { name, paymentsPerNotification, connections } of warmUps)
    await settlePayments(webhookRig, { name, paymentsPerNotification, connections });
  await waitUntilAccepted(
    receivers,
    warmUps.reduce((sum, { count }) => sum + count, 0),
  );
  return webhookRig;
}

/** Notifies the gateway of a group of payments as fast as it responds, and waits until all are credited. */
export async function settlePayments(
  { rig, gateway, files }: WebhookRig,
  group: { readonly name: string; readonly paymentsPerNotification: number; readonly connections: number },
): Promise<Measured> {
  const work = { kind: 'settle', merchants: 'many', receiver: 'silent', ...group } as const;
  const measured = await measureFigure(
    rig,
    gateway,
    work,
    preparedFileOf(files, group.name),
    maxSettlingSeconds,
  );
  if (measured.faults.length > 0) throw new Error(`${group.name}: ${measured.faults.join('; ')}`);
  return measured;
}

/** Waits until `expected` calls got a 204, or none did for a minute. `judgeCalls` reports missing calls later. */
export async function waitUntilAccepted(receivers: Receivers, expected: number): Promise<void> {
  let highest = -1;
  let lastProgressMs = performance.now();
  for (;;) {
    const accepted = await receivers.countAccepted();
    if (accepted > highest) [highest, lastProgressMs] = [accepted, performance.now()];
    if (accepted >= expected || performance.now() > lastProgressMs + timeoutMs) return;
    await sleep(pollIntervalMs);
  }
}

/** Returns the processor seconds used so far by each process. */
export function readProcessorSeconds({ rig, gateway, receivers }: WebhookRig) {
  return {
    gateway: processorSeconds(gateway.process.pid),
    postgres: processorSeconds(rig.cluster.pid),
    bank: processorSeconds(rig.bank.process.pid),
    load: processorSeconds(rig.load.process.pid),
    receivers: processorSeconds(receivers.process.pid),
  };
}

/**
 * Stops the gateway, and judges whether the received calls, the stored deliveries and the books match the
 * payments.
 */
export async function stopAndJudge({ rig, receivers, gateway, payments }: WebhookRig): Promise<JudgedCalls> {
  await gateway.stop();
  const calls = await receivers.readCalls();
  const allPayments = [...payments.values()].flat();
  const judged = judgeCalls(allPayments, calls);
  const faults = [
    ...judged.faults,
    ...(await verifyDeliveries(rig, allPayments, calls)),
    ...(await verifyRound(rig, { payments: allPayments.length, charges: 0 })),
  ];
  await receivers.process.end();
  await rig.close();
  return { ...judged, faults };
}
