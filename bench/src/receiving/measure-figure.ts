import { setTimeout as pause } from 'node:timers/promises';
import type { Work } from './figures.ts';
import type { LoadReport } from './load-protocol.ts';
import { processorSeconds } from './processor-time.ts';
import type { BenchGateway, Stand } from './stand.ts';

/** The result of one figure in one round. */
export type Measured = {
  readonly kind: Work['kind'];
  readonly name: string;
  /** Payments or charges whose call got the expected response. */
  readonly acknowledged: number;
  /** From the first call to the last credit, or for charges to the last response. */
  readonly seconds: number;
  readonly perSecond: number;
  /** Latency of the calls. */
  readonly latencyMs: LoadReport['latencyMs'];
  /** From the last response to the last credit: the backlog. */
  readonly backlogMs: number;
  /** Processor milliseconds per thousand payments or charges. */
  readonly processorMsPerThousand: Readonly<Record<ProcessName, number>>;
  /** Webhooks delivered meanwhile, if the receiver responds. */
  readonly webhooksPerSecond?: number;
  /** Any fault voids the round. */
  readonly faults: readonly string[];
};

export type ProcessName = 'gateway' | 'postgres' | 'bank' | 'load';

const pollMs = 5;
const patienceMs = 60_000;

/** Sends the calls in `file` for at most `seconds`, and measures until the last acknowledged payment is credited. */
export async function measureFigure(
  stand: Stand,
  gateway: BenchGateway,
  work: Work,
  file: string,
  seconds: number,
): Promise<Measured> {
  const start = await lookAt(stand, gateway);
  const report = await stand.load.run({
    origin: gateway.origin,
    path: work.kind === 'settle' ? gateway.noticePath : '/api/pix/new',
    file,
    connections: work.connections,
    seconds,
  });
  const wantedStatus = work.kind === 'settle' ? '200' : '201';
  const answered = report.byStatus[wantedStatus] ?? 0;
  const acknowledged = work.kind === 'settle' ? answered * work.perNotice : answered;
  const faults = faultsOf(report, wantedStatus);
  let endedAt = report.endedAt;
  if (work.kind === 'settle') {
    const credited = (await untilCredited(stand, start.credited + acknowledged)) - start.credited;
    endedAt = performance.timeOrigin + performance.now();
    if (credited !== acknowledged) faults.push(`${acknowledged} acknowledged, ${credited} credited`);
  }
  const end = await lookAt(stand, gateway);
  const elapsed = (endedAt - report.beganAt) / 1000;
  const cost = (used: number) => (acknowledged === 0 ? 0 : (used * 1e6) / acknowledged);
  return {
    kind: work.kind,
    name: work.name,
    acknowledged,
    seconds: elapsed,
    perSecond: acknowledged / elapsed,
    latencyMs: report.latencyMs,
    backlogMs: endedAt - report.endedAt,
    processorMsPerThousand: {
      gateway: cost(end.gateway - start.gateway),
      postgres: cost(end.postgres - start.postgres),
      bank: cost(end.bank - start.bank),
      load: cost(report.processorSeconds),
    },
    ...(work.kind === 'settle' &&
      work.receiver === 'prompt' && { webhooksPerSecond: (end.delivered - start.delivered) / elapsed }),
    faults,
  };
}

/** The faults of responses other than the expected one. */
export function faultsOf({ sent, byStatus, failures }: LoadReport, wanted: string): string[] {
  const others = Object.entries(byStatus).filter(([status]) => status !== wanted);
  return [
    ...others.map(([status, count]) => `${count} answers ${status}`),
    ...(failures > 0 ? [`${failures} calls without an answer`] : []),
    ...(sent === 0 ? ['nothing was sent'] : []),
  ];
}

async function lookAt(stand: Stand, gateway: BenchGateway) {
  return {
    credited: await countCredited(stand),
    delivered: await stand.countDelivered(),
    gateway: processorSeconds(gateway.process.pid),
    postgres: processorSeconds(stand.cluster.pid),
    bank: processorSeconds(stand.bank.process.pid),
  };
}

/** The paid charges of all merchants: their counters are written in the crediting transaction. */
export async function countCredited({ pool }: Stand): Promise<number> {
  const { rows } = await pool.query<{ credited: number }>(
    'select sum(paid_count)::bigint as credited from merchant_counters',
  );
  return rows[0]?.credited ?? 0;
}

/** Waits until this many are credited, or none was for a minute, and returns how many are. */
export async function untilCredited(stand: Stand, wanted: number): Promise<number> {
  let best = -1;
  let bestAt = performance.now();
  for (;;) {
    const credited = await countCredited(stand);
    if (credited > best) [best, bestAt] = [credited, performance.now()];
    if (credited >= wanted || performance.now() > bestAt + patienceMs) return credited;
    await pause(pollMs);
  }
}
