import type { Percentiles } from '../statistics.ts';
import type { LoadReport } from './load-protocol.ts';
import { waitUntilCredited } from './measure-figure.ts';
import type { ReceivingPlan } from './options.ts';
import { type PlannedWork, preparedFileOf } from './prepare-round.ts';
import type { BenchGateway, TestRig } from './test-rig.ts';
import { sendTrickle, type Trickle } from './trickle.ts';
import type { Acknowledged } from './verify-round.ts';

// A crowd is a number of callers who call the gateway at the same time, more than it can serve. Each caller is one
// connection of the load and waits for a response before the next call. Meanwhile a trickle goes on: notifications of
// payments at a steady rate.

/**
 * The result of one crowd that creates charges, or that notifies the gateway of payments. The field names are those in
 * `results/receiving.json`.
 */
export type CrowdResult = {
  readonly what: 'charges' | 'notifications';
  readonly callers: number;
  readonly acceptedPerSecond: number;
  readonly byStatus: Readonly<Record<string, number>>;
  /** The number of 503 responses with the header Retry-After. */
  readonly withRetryAfter: number;
  /** The latencies of accepted calls. */
  readonly acceptedMs: Percentiles | undefined;
  /** The trickle that ran at the same time, only for a crowd that creates charges. */
  readonly trickle?: Trickle;
};

/** How the gateway responds to crowds of increasing size. */
export type Overload = {
  readonly crowds: readonly CrowdResult[];
  /** The trickle without any crowd, for comparison. */
  readonly trickleAlone: Trickle;
};

const tricklePerSecond = 50;
/** More charges than the gateway can create in a second. */
const preparedChargesPerSecond = 4000;
/** More notifications than the gateway can accept in a second. */
const preparedNotificationsPerSecond = 5500;
/**
 * The name of the calls prepared for a crowd of this size, or for the trickle that runs at the same time as the crowd.
 */
const nameOf = (what: string, callers: number) => `overload-${what}-${callers}`;
/** Notifications of one payment each. The receiver never responds to the webhooks about these payments. */
const settleWork = {
  kind: 'settle',
  paymentsPerNotification: 1,
  merchants: 'many',
  receiver: 'silent',
} as const;
const trickleWork = { ...settleWork, connections: 16 };

/** Returns the calls to prepare: more than can be accepted in the time, unless the plan sets their number. */
export function plannedOverloadWork({
  overloadSeconds,
  crowds: crowdSizes,
  calls,
}: ReceivingPlan): PlannedWork[] {
  const trickleCount = calls ?? tricklePerSecond * overloadSeconds;
  const trickleAlone: PlannedWork = { ...trickleWork, name: nameOf('trickle', 0), count: trickleCount };
  const forCrowds = crowdSizes.flatMap((callers): PlannedWork[] => [
    {
      kind: 'create',
      name: nameOf('charges', callers),
      connections: callers,
      picture: false,
      count: calls ?? preparedChargesPerSecond * overloadSeconds,
    },
    { ...trickleWork, name: nameOf('trickle', callers), count: trickleCount },
    {
      ...settleWork,
      name: nameOf('notifications', callers),
      connections: callers,
      count: calls ?? preparedNotificationsPerSecond * overloadSeconds,
    },
  ]);
  return [trickleAlone, ...forCrowds];
}

/**
 * Measures crowds of increasing size. A caller who is refused with 503 calls again after the time that Retry-After
 * says.
 */
export async function measureOverload(
  rig: TestRig,
  gateway: BenchGateway,
  files: ReadonlyMap<string, string>,
  { overloadSeconds: seconds, crowds: crowdSizes }: ReceivingPlan,
  creditedBefore: number,
): Promise<Overload & { acknowledged: Acknowledged }> {
  const crowds: CrowdResult[] = [];
  const acknowledged = { payments: 0, charges: 0 };
  const { origin, noticePath } = gateway;
  const runCrowd = (what: CrowdResult['what'], callers: number, path: string) =>
    rig.load.run({
      origin,
      path,
      file: preparedFileOf(files, nameOf(what, callers)),
      connections: callers,
      seconds,
    });
  const runTrickle = async (callers: number) => {
    const trickle = await sendTrickle(
      rig,
      gateway,
      preparedFileOf(files, nameOf('trickle', callers)),
      tricklePerSecond,
    );
    acknowledged.payments += trickle.byStatus['200'] ?? 0;
    return trickle;
  };
  const trickleAlone = await runTrickle(0);
  for (const callers of crowdSizes) {
    const [charges, trickle] = await Promise.all([
      runCrowd('charges', callers, '/api/pix/new'),
      runTrickle(callers),
    ]);
    crowds.push({ ...resultOf('charges', callers, charges), trickle });
    const notifications = await runCrowd('notifications', callers, noticePath);
    crowds.push(resultOf('notifications', callers, notifications));
    // `runTrickle` has already added the payments of the trickle.
    acknowledged.charges += charges.byStatus['201'] ?? 0;
    acknowledged.payments += notifications.byStatus['200'] ?? 0;
    await waitUntilCredited(rig, creditedBefore + acknowledged.payments);
  }
  return { crowds, trickleAlone, acknowledged };
}

function resultOf(what: CrowdResult['what'], callers: number, report: LoadReport): CrowdResult {
  const accepted = (report.byStatus['200'] ?? 0) + (report.byStatus['201'] ?? 0);
  const withoutResponse = report.failures > 0 ? { 'no answer': report.failures } : {};
  return {
    what,
    callers,
    acceptedPerSecond: (accepted * 1000) / (report.endedAt - report.beganAt),
    byStatus: { ...report.byStatus, ...withoutResponse },
    withRetryAfter: report.retryAfterCount,
    acceptedMs: report.latencyMs,
  };
}
