import { setTimeout as pause } from 'node:timers/promises';
import type { Figure } from './figures.ts';
import type { LoadReport } from './load-protocol.ts';
import type { Calls } from './prepare-round.ts';
import { processorSeconds } from './processor-time.ts';
import type { Gateway, Stand } from './stand.ts';

/** What one figure came to in one round. */
export type Measured = {
  readonly name: string;
  /** Payments or charges whose call was answered as it should be. */
  readonly acknowledged: number;
  readonly seconds: number;
  readonly perSecond: number;
  /** Of the calls. */
  readonly latencyMs: LoadReport['latencyMs'];
  /** From the last answer to the last credit, in milliseconds: what was still waiting. */
  readonly backlogMs: number;
  /** Processor time for a thousand payments or charges, in milliseconds... of each process. */
  readonly processorMsPerThousand: Readonly<Record<ProcessName, number>>;
  /** Anything here makes the round void. */
  readonly faults: readonly string[];
};

const processNames = ['gateway', 'postgres', 'bank', 'load'] as const;
type ProcessName = (typeof processNames)[number];

const pollMs = 5;
const patienceMs = 120_000;

/** Sends for `seconds`, and counts until the last of what was acknowledged is credited. */
export async function measureFigure(
  stand: Stand,
  gateway: Gateway,
  figure: Pick<Figure, 'name' | 'kind' | 'connections'> & { readonly perNotice?: number },
  { file }: Calls,
  seconds: number,
): Promise<Measured> {
  const creditedBefore = await countCredited(stand);
  const before = processorTimes(stand, gateway);
  const report = await stand.load.run({
    origin: gateway.origin,
    path: figure.kind === 'settle' ? gateway.noticePath : '/api/pix/new',
    file,
    connections: figure.connections,
    seconds,
  });
  const wantedStatus = figure.kind === 'settle' ? '200' : '201';
  const answered = report.byStatus[wantedStatus] ?? 0;
  const acknowledged = answered * (figure.perNotice ?? 1);
  const faults = faultsOf(report, wantedStatus);
  let endedAt = report.endedAt;
  if (figure.kind === 'settle' && faults.length === 0) {
    const credited = await untilCredited(stand, creditedBefore + acknowledged);
    if (credited === creditedBefore + acknowledged) endedAt = performance.timeOrigin + performance.now();
    else faults.push(`${acknowledged} acknowledged, ${credited - creditedBefore} credited`);
  }
  const after = processorTimes(stand, gateway);
  const elapsed = (endedAt - report.beganAt) / 1000;
  return {
    name: figure.name,
    acknowledged,
    seconds: elapsed,
    perSecond: acknowledged / elapsed,
    latencyMs: report.latencyMs,
    backlogMs: endedAt - report.endedAt,
    processorMsPerThousand: {
      gateway: perThousand(after.gateway - before.gateway, acknowledged),
      postgres: perThousand(after.postgres - before.postgres, acknowledged),
      bank: perThousand(after.bank - before.bank, acknowledged),
      load: perThousand(report.processorSeconds, acknowledged),
    },
    faults,
  };
}

function faultsOf({ sent, byStatus, failures }: LoadReport, wanted: string): string[] {
  const others = Object.entries(byStatus).filter(([status]) => status !== wanted);
  return [
    ...others.map(([status, count]) => `${count} answers ${status}`),
    ...(failures > 0 ? [`${failures} calls without an answer`] : []),
    ...(sent === 0 ? ['nothing was sent'] : []),
  ];
}

function processorTimes({ cluster, bank }: Stand, gateway: Gateway) {
  return {
    gateway: processorSeconds(gateway.process.pid),
    postgres: processorSeconds(cluster.pid),
    bank: processorSeconds(bank.process.pid),
  };
}

function perThousand(seconds: number, count: number): number {
  return count === 0 ? 0 : (seconds * 1000) / (count / 1000);
}

/** Charges of all merchants that are paid: their counters are written in the transaction that credits. */
export async function countCredited({ pool }: Pick<Stand, 'pool'>): Promise<number> {
  const { rows } = await pool.query<{ credited: number }>(
    'select sum(paid_count)::bigint as credited from merchant_counters',
  );
  return rows[0]?.credited ?? 0;
}

async function untilCredited(stand: Stand, wanted: number): Promise<number> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const credited = await countCredited(stand);
    if (credited >= wanted || performance.now() > deadline) return credited;
    await pause(pollMs);
  }
}
