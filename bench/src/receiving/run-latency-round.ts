import { type LoneTimes, measureLonePayments } from './lone-payment.ts';
import { countCredited } from './measure-figure.ts';
import { LONE_PAYMENT, OVERLOAD, type ReceivingPlan } from './options.ts';
import { measureOverload, type Overload, plannedOverloadWork } from './overload.ts';
import { type PlannedWork, preparedFileOf, prepareRound } from './prepare-round.ts';
import type { BenchGateway, TestRig } from './test-rig.ts';
import { type Acknowledged, countAcknowledged, verifyRound } from './verify-round.ts';
import { warmUp, warmUpsFor } from './warm-up.ts';

/** A round that measures latencies instead of throughput: of lone payments, and of the gateway under overload. */
export type LatencyRound = {
  readonly lone: LoneTimes | undefined;
  readonly overload: Overload | undefined;
  /** Faults found in the books and counts at the end. */
  readonly faults: readonly string[];
};

export type LatencyOptions = {
  readonly rig: TestRig;
  readonly plan: ReceivingPlan;
  /** LONE_PAYMENT, OVERLOAD, or both. */
  readonly parts: readonly string[];
};

/**
 * Measures lone payments and crowds. Their results are not compared with the control (pgbench), so no control runs.
 */
export async function runLatencyRound({ rig, plan, parts }: LatencyOptions): Promise<LatencyRound> {
  const files = await prepareRound(rig, plan.merchants, plannedLatencyWork(plan, parts));
  const gateway = await rig.startGateway();
  const warmUpCounts = countAcknowledged(await warmUp(rig, gateway, lonePaymentWork(plan), files, plan));
  const { lone, overload, acknowledged } = await measureLatencies({ rig, plan, parts }, gateway, files);
  await gateway.stop();
  const faults = await verifyRound(rig, {
    payments: warmUpCounts.payments + acknowledged.payments,
    charges: warmUpCounts.charges + acknowledged.charges,
  });
  return { lone, overload, faults: [...faults, ...(lone?.faults ?? [])] };
}

/** Returns the work to prepare, including the work of the warm-up. */
export function plannedLatencyWork(plan: ReceivingPlan, parts: readonly string[]): PlannedWork[] {
  return [
    ...warmUpsFor(lonePaymentWork(plan), plan),
    ...(parts.includes(LONE_PAYMENT) ? [lonePaymentWork(plan)] : []),
    ...(parts.includes(OVERLOAD) ? plannedOverloadWork(plan) : []),
  ];
}

/** Measures on a gateway that is warmed up. */
export async function measureLatencies(
  { rig, plan, parts }: LatencyOptions,
  gateway: BenchGateway,
  files: ReadonlyMap<string, string>,
): Promise<Pick<LatencyRound, 'lone' | 'overload'> & { readonly acknowledged: Acknowledged }> {
  const lone = parts.includes(LONE_PAYMENT)
    ? await measureLonePayments(rig, gateway, preparedFileOf(files, LONE_PAYMENT))
    : undefined;
  const overload = parts.includes(OVERLOAD)
    ? await measureOverload(rig, gateway, files, plan, await countCredited(rig))
    : undefined;
  const acknowledged = {
    payments: (lone?.payments ?? 0) + (overload?.acknowledged.payments ?? 0),
    charges: overload?.acknowledged.charges ?? 0,
  };
  return { lone, overload, acknowledged };
}

export function lonePaymentWork({ lonePayments: count }: ReceivingPlan): PlannedWork {
  return {
    kind: 'settle',
    name: LONE_PAYMENT,
    paymentsPerNotification: 1,
    connections: 1,
    merchants: 'many',
    receiver: 'silent',
    count,
  };
}
