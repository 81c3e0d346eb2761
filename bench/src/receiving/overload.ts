import type { Percentiles } from '../statistics.ts';
import type { LoadReport } from './load-protocol.ts';
import { waitUntilCredited } from './measure-figure.ts';
import type { ReceivingPlan } from './options.ts';
import { type PlannedWork, preparedFileOf } from './prepare-round.ts';
import type { BenchGateway, TestRig } from './test-rig.ts';
import { sendTrickle, type Trickle } from './trickle.ts';
import type { Acknowledged } from './verify-round.ts';

/** The result of one crowd: many callers who send charges or notifications at once. */
export type Crowd = {
  readonly what: 'charges' | 'notifications';
  readonly callers: number;
  readonly acceptedPerSecond: number;
  readonly byStatus: Readonly<Record<string, number>>;
  /** The number of 503 responses with the header Retry-After. */
  readonly withRetryAfter: number;
  readonly acceptedMs: Percentiles | undefined;
  /** Notifications sent at a steady rate beside the charges. */
  readonly trickle?: Trickle;
};

/** How the gateway responds when more callers come at once than it can serve. */
export type Overload = {
  readonly crowds: readonly Crowd[];
  /** The steady notifications without any other callers, to compare. */
  readonly trickleAlone: Trickle;
};

const tricklePerSecond = 50;
/** The name of prepared calls. */
const nameOf = (what: string, callers: number) => `overload-${what}-${callers}`;
/** Notifications of one payment each, whose webhooks are never answered. */
const settleWork = { kind: 'settle', perNotice: 1, merchants: 'many', receiver: 'silent' } as const;
const trickleWork = { ...settleWork, connections: 16 };

/** The calls to prepare: more than can be accepted in the time, unless the plan sets their number. */
export function plannedOverloadWork({ overloadSeconds, crowds, calls }: ReceivingPlan): PlannedWork[] {
  const trickleCount = calls ?? tricklePerSecond * overloadSeconds;
  const withoutCallers: PlannedWork = { ...trickleWork, name: nameOf('trickle', 0), count: trickleCount };
  const forCrowds = crowds.flatMap((connections): PlannedWork[] => [
    {
      kind: 'create',
      name: nameOf('charges', connections),
      connections,
      picture: false,
      count: calls ?? 4000 * overloadSeconds,
    },
    { ...trickleWork, name: nameOf('trickle', connections), count: trickleCount },
    {
      ...settleWork,
      name: nameOf('notifications', connections),
      connections,
      count: calls ?? 5500 * overloadSeconds,
    },
  ]);
  return [withoutCallers, ...forCrowds];
}

/** Measures crowds of increasing size. A refused caller retries when the header Retry-After says. */
export async function measureOverload(
  rig: TestRig,
  gateway: BenchGateway,
  files: ReadonlyMap<string, string>,
  { overloadSeconds: seconds, crowds }: ReceivingPlan,
  creditedBefore: number,
): Promise<Overload & { acknowledged: Acknowledged }> {
  const results: Crowd[] = [];
  const acknowledged = { payments: 0, charges: 0 };
  const { origin, noticePath } = gateway;
  const runCrowd = (what: Crowd['what'], callers: number, path: string) =>
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
  for (const callers of crowds) {
    const [charges, trickle] = await Promise.all([
      runCrowd('charges', callers, '/api/pix/new'),
      runTrickle(callers),
    ]);
    results.push({ ...crowdOf('charges', callers, charges), trickle });
    const notifications = await runCrowd('notifications', callers, noticePath);
    results.push(crowdOf('notifications', callers, notifications));
    acknowledged.charges += charges.byStatus['201'] ?? 0;
    acknowledged.payments += notifications.byStatus['200'] ?? 0;
    await waitUntilCredited(rig, creditedBefore + acknowledged.payments);
  }
  return { crowds: results, trickleAlone, acknowledged };
}

function crowdOf(what: Crowd['what'], callers: number, report: LoadReport): Crowd {
  const accepted = (report.byStatus['200'] ?? 0) + (report.byStatus['201'] ?? 0);
  const unanswered = report.failures > 0 ? { 'no answer': report.failures } : {};
  return {
    what,
    callers,
    acceptedPerSecond: (accepted * 1000) / (report.endedAt - report.beganAt),
    byStatus: { ...report.byStatus, ...unanswered },
    withRetryAfter: report.withRetryAfter,
    acceptedMs: report.latencyMs,
  };
}
