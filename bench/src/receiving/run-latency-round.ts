import { fileOf } from './file-of.ts';
import { type LoneTimes, measureLonePayments } from './lone-payment.ts';
import { countCredited } from './measure-figure.ts';
import { LONE_PAYMENT, OVERLOAD, type ReceivingPlan } from './options.ts';
import { measureOverload, type Overload, wantedForOverload } from './overload.ts';
import { prepare, type WantedWork } from './prepare-round.ts';
import type { BenchGateway, Stand } from './stand.ts';
import { type Acknowledged, sumOf, verifyRound } from './verify-round.ts';
import { warmUp, warmUpsFor } from './warm-up.ts';

export type LatencyRound = {
  readonly lone: LoneTimes | undefined;
  readonly overload: Overload | undefined;
  /** Faults found in the books and counts at the end. */
  readonly faults: readonly string[];
};

export type LatencyOptions = {
  readonly stand: Stand;
  readonly plan: ReceivingPlan;
  readonly parts: readonly string[];
};

/** Measures lone payments and crowds. Times and refusals are not ratios, so no control is run. */
export async function runLatencyRound({ stand, plan, parts }: LatencyOptions): Promise<LatencyRound> {
  const files = await prepare(stand, plan.merchants, wantedForLatencies(plan, parts));
  const gateway = await stand.startGateway();
  const warm = sumOf(await warmUp(stand, gateway, lonePayments(plan), files, plan));
  const { lone, overload, acknowledged } = await measureLatencies({ stand, plan, parts }, gateway, files);
  await gateway.stop();
  const faults = await verifyRound(stand, {
    payments: warm.payments + acknowledged.payments,
    charges: warm.charges + acknowledged.charges,
  });
  return { lone, overload, faults: [...faults, ...(lone?.faults ?? [])] };
}

/** Including those of the warm-up. */
export function wantedForLatencies(plan: ReceivingPlan, parts: readonly string[]): WantedWork[] {
  return [
    ...warmUpsFor(lonePayments(plan), plan),
    ...(parts.includes(LONE_PAYMENT) ? [lonePayments(plan)] : []),
    ...(parts.includes(OVERLOAD) ? wantedForOverload(plan) : []),
  ];
}

/** With a warmed-up gateway. */
export async function measureLatencies(
  { stand, plan, parts }: LatencyOptions,
  gateway: BenchGateway,
  files: ReadonlyMap<string, string>,
): Promise<Pick<LatencyRound, 'lone' | 'overload'> & { readonly acknowledged: Acknowledged }> {
  const lone = parts.includes(LONE_PAYMENT)
    ? await measureLonePayments(stand, gateway, fileOf(files, LONE_PAYMENT))
    : undefined;
  const overload = parts.includes(OVERLOAD)
    ? await measureOverload(stand, gateway, files, plan, await countCredited(stand))
    : undefined;
  const acknowledged = {
    payments: (lone?.payments ?? 0) + (overload?.acknowledged.payments ?? 0),
    charges: overload?.acknowledged.charges ?? 0,
  };
  return { lone, overload, acknowledged };
}

export function lonePayments({ lonePayments: count }: ReceivingPlan): WantedWork {
  return {
    kind: 'settle',
    name: LONE_PAYMENT,
    perNotice: 1,
    connections: 1,
    merchants: 'many',
    receiver: 'silent',
    count,
  };
}
