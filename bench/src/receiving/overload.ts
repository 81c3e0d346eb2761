import type { Percentiles } from '../statistics.ts';
import { fileOf } from './file-of.ts';
import type { LoadReport } from './load-protocol.ts';
import { untilCredited } from './measure-figure.ts';
import type { ReceivingPlan } from './options.ts';
import type { WantedWork } from './prepare-round.ts';
import type { BenchGateway, Stand } from './stand.ts';
import { sendTrickle, type Trickle } from './trickle.ts';
import type { Acknowledged } from './verify-round.ts';

/** The results of this many concurrent callers. */
export type Crowd = {
  readonly what: 'charges' | 'notifications';
  readonly callers: number;
  readonly acceptedPerSecond: number;
  readonly byStatus: Readonly<Record<string, number>>;
  /** The 503 responses with Retry-After. */
  readonly withRetryAfter: number;
  readonly acceptedMs: Percentiles | undefined;
  /** Notifications sent at a steady rate beside the charges. */
  readonly trickle?: Trickle;
};

export type Overload = {
  readonly crowds: readonly Crowd[];
  /** The same notifications without other callers. */
  readonly trickleAlone: Trickle;
};

const tricklePerSecond = 50;
const nameOf = (what: string, callers: number) => `overload-${what}-${callers}`;
const common = { kind: 'settle', perNotice: 1, merchants: 'many', receiver: 'silent' } as const;
const trickleWork = { ...common, connections: 16 };

/** More than can be accepted in the time. */
export function wantedForOverload({ overloadSeconds, crowds, calls }: ReceivingPlan): WantedWork[] {
  const trickleCount = calls ?? tricklePerSecond * overloadSeconds;
  const alone: WantedWork = { ...trickleWork, name: nameOf('trickle', 0), count: trickleCount };
  const forCrowds = crowds.flatMap((connections): WantedWork[] => [
    {
      kind: 'create',
      name: nameOf('charges', connections),
      connections,
      picture: false,
      count: calls ?? 4000 * overloadSeconds,
    },
    { ...trickleWork, name: nameOf('trickle', connections), count: trickleCount },
    {
      ...common,
      name: nameOf('notifications', connections),
      connections,
      count: calls ?? 5500 * overloadSeconds,
    },
  ]);
  return [alone, ...forCrowds];
}

/** Increasing numbers of concurrent callers, who retry after a refusal as told by Retry-After. */
export async function measureOverload(
  stand: Stand,
  gateway: BenchGateway,
  files: ReadonlyMap<string, string>,
  { overloadSeconds: seconds, crowds }: ReceivingPlan,
  creditedBefore: number,
): Promise<Overload & { acknowledged: Acknowledged }> {
  const found: Crowd[] = [];
  const acknowledged = { payments: 0, charges: 0 };
  const { origin, noticePath } = gateway;
  const run = (what: Crowd['what'], callers: number, path: string) =>
    stand.load.run({
      origin,
      path,
      file: fileOf(files, nameOf(what, callers)),
      connections: callers,
      seconds,
    });
  const trickleBeside = async (callers: number) => {
    const sent = await sendTrickle(
      stand,
      gateway,
      fileOf(files, nameOf('trickle', callers)),
      tricklePerSecond,
    );
    acknowledged.payments += sent.byStatus['200'] ?? 0;
    return sent;
  };
  const trickleAlone = await trickleBeside(0);
  for (const callers of crowds) {
    const [charges, trickle] = await Promise.all([
      run('charges', callers, '/api/pix/new'),
      trickleBeside(callers),
    ]);
    found.push({ ...crowdOf('charges', callers, charges), trickle });
    const notifications = await run('notifications', callers, noticePath);
    found.push(crowdOf('notifications', callers, notifications));
    acknowledged.charges += charges.byStatus['201'] ?? 0;
    acknowledged.payments += notifications.byStatus['200'] ?? 0;
    await untilCredited(stand, creditedBefore + acknowledged.payments);
  }
  return { crowds: found, trickleAlone, acknowledged };
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
