import { fileOf } from './file-of.ts';
import type { LoadReport } from './load-protocol.ts';
import { untilCredited } from './measure-figure.ts';
import type { Plan } from './options.ts';
import type { Percentiles } from './percentiles.ts';
import type { Wanted } from './prepare-round.ts';
import type { Gateway, Stand } from './stand.ts';
import type { Acknowledged } from './verify-round.ts';

/** What so many callers at once got. */
export type Crowd = {
  readonly what: 'charges' | 'notifications';
  readonly callers: number;
  readonly acceptedPerSecond: number;
  readonly byStatus: Readonly<Record<string, number>>;
  /** Of the answers 503, those that said when to come back. */
  readonly withRetryAfter: number;
  readonly acceptedMs: Percentiles | undefined;
  /** Of the notifications that came at a steady rate beside the charges. */
  readonly trickleMs?: Percentiles | undefined;
  readonly trickleByStatus?: Readonly<Record<string, number>>;
};

export const crowds = [64, 128, 256] as const;
const tricklePerSecond = 50;
const nameOf = (what: string, callers: number) => `overload-${what}-${callers}`;
const common = { kind: 'settle', perNotice: 1, merchants: 'many', receiver: 'silent' } as const;

/** More than can be taken in the time. */
export function wantedForOverload({ overloadSeconds }: Plan): Wanted[] {
  return crowds.flatMap((connections): Wanted[] => [
    {
      kind: 'create',
      name: nameOf('charges', connections),
      connections,
      picture: false,
      count: 4000 * overloadSeconds,
    },
    {
      ...common,
      name: nameOf('trickle', connections),
      connections,
      count: tricklePerSecond * overloadSeconds,
    },
    { ...common, name: nameOf('notifications', connections), connections, count: 5500 * overloadSeconds },
  ]);
}

/** Ever more callers at once, who ask again 50 ms after a refusal, sooner than they were told to. */
export async function measureOverload(
  stand: Stand,
  gateway: Gateway,
  files: ReadonlyMap<string, string>,
  { overloadSeconds: seconds }: Plan,
  creditedBefore: number,
): Promise<{ crowds: Crowd[]; acknowledged: Acknowledged }> {
  const found: Crowd[] = [];
  const acknowledged = { payments: 0, charges: 0 };
  const { origin, noticePath } = gateway;
  const run = (
    what: string,
    callers: number,
    more: { path: string; connections: number; perSecond?: number },
  ) => stand.load.run({ origin, file: fileOf(files, nameOf(what, callers)), seconds, ...more });
  for (const callers of crowds) {
    const [charges, trickle] = await Promise.all([
      run('charges', callers, { path: '/api/pix/new', connections: callers }),
      run('trickle', callers, { path: noticePath, connections: 16, perSecond: tricklePerSecond }),
    ]);
    found.push({
      ...crowdOf('charges', callers, charges),
      trickleMs: trickle.latencyMs,
      trickleByStatus: trickle.byStatus,
    });
    const notifications = await run('notifications', callers, { path: noticePath, connections: callers });
    found.push(crowdOf('notifications', callers, notifications));
    acknowledged.charges += charges.byStatus['201'] ?? 0;
    acknowledged.payments += (trickle.byStatus['200'] ?? 0) + (notifications.byStatus['200'] ?? 0);
    await untilCredited(stand, creditedBefore + acknowledged.payments);
  }
  return { crowds: found, acknowledged };
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
