import { setTimeout as sleep } from 'node:timers/promises';
import type { Work } from './figures.ts';
import type { LoadReport } from './load-protocol.ts';
import { processorSeconds } from './processor-time.ts';
import type { BenchGateway, TestRig } from './test-rig.ts';

/** The result of one figure in one round. */
export type Measured = {
  readonly kind: Work['kind'];
  readonly name: string;
  /** Payments or charges whose call got the expected response. */
  readonly acknowledged: number;
  /** For payments from the first call to the last credit, for charges from the first call to the last response. */
  readonly seconds: number;
  readonly perSecond: number;
  readonly latencyMs: LoadReport['latencyMs'];
  /** From the last response to the last credit: the time to work off the backlog. */
  readonly backlogMs: number;
  /** Processor milliseconds per thousand payments or charges. */
  readonly processorMsPerThousand: Readonly<Record<ProcessName, number>>;
  /** The webhooks delivered meanwhile, if their receiver responds. */
  readonly webhooksPerSecond?: number;
  /** Any fault voids the round. */
  readonly faults: readonly string[];
};

export type ProcessName = 'gateway' | 'postgres' | 'bank' | 'load';

const pollIntervalMs = 5;
const timeoutMs = 60_000;

/**
 * Sends the calls in `file` for at most `seconds`, and measures until the last acknowledged payment is
 * credited.
 */
export async function measureFigure(
  rig: TestRig,
  gateway: BenchGateway,
  work: Work,
  file: string,
  seconds: number,
): Promise<Measured> {
  const start = await readCounters(rig, gateway);
  const report = await rig.load.run({
    origin: gateway.origin,
    path: work.kind === 'settle' ? gateway.noticePath : '/api/pix/new',
    file,
    connections: work.connections,
    seconds,
  });
  const expectedStatus = work.kind === 'settle' ? '200' : '201';
  const successCount = report.byStatus[expectedStatus] ?? 0;
  const acknowledged = work.kind === 'settle' ? successCount * work.paymentsPerNotification : successCount;
  const faults = faultsOf(report, expectedStatus);
  let endedAt = report.endedAt;
  if (work.kind === 'settle') {
    const credited = (await waitUntilCredited(rig, start.credited + acknowledged)) - start.credited;
    endedAt = performance.timeOrigin + performance.now();
    if (credited !== acknowledged) faults.push(`${acknowledged} acknowledged, ${credited} credited`);
  }
  const end = await readCounters(rig, gateway);
  const elapsedSeconds = (endedAt - report.beganAt) / 1000;
  const msPerThousand = (processorSecondsUsed: number) =>
    acknowledged === 0 ? 0 : (processorSecondsUsed * 1e6) / acknowledged;
  return {
    kind: work.kind,
    name: work.name,
    acknowledged,
    seconds: elapsedSeconds,
    perSecond: acknowledged / elapsedSeconds,
    latencyMs: report.latencyMs,
    backlogMs: endedAt - report.endedAt,
    processorMsPerThousand: {
      gateway: msPerThousand(end.gateway - start.gateway),
      postgres: msPerThousand(end.postgres - start.postgres),
      bank: msPerThousand(end.bank - start.bank),
      load: msPerThousand(report.processorSeconds),
    },
    ...(work.kind === 'settle' &&
      work.receiver === 'prompt' && {
        webhooksPerSecond: (end.delivered - start.delivered) / elapsedSeconds,
      }),
    faults,
  };
}

/** Describes unexpected responses and calls without a response. */
function faultsOf({ sent, byStatus, failures }: LoadReport, expectedStatus: string): string[] {
  const unexpected = Object.entries(byStatus).filter(([status]) => status !== expectedStatus);
  return [
    ...unexpected.map(([status, count]) => `${count} answers ${status}`),
    ...(failures > 0 ? [`${failures} calls without an answer`] : []),
    ...(sent === 0 ? ['nothing was sent'] : []),
  ];
}

/** Reads the counters whose differences before and after a figure are the figure's result. */
async function readCounters(rig: TestRig, gateway: BenchGateway) {
  return {
    credited: await countCredited(rig),
    delivered: await rig.countDelivered(),
    gateway: processorSeconds(gateway.process.pid),
    postgres: processorSeconds(rig.cluster.pid),
    bank: processorSeconds(rig.bank.process.pid),
  };
}

/**
 * Returns the number of paid charges of all merchants, from counters that are updated in the same transaction that
 * credits a payment.
 */
export async function countCredited({ pool }: TestRig): Promise<number> {
  const { rows } = await pool.query<{ credited: number }>(
    'select sum(paid_count)::bigint as credited from merchant_counters',
  );
  return rows[0]?.credited ?? 0;
}

/** Waits until `expected` payments are credited, or none was credited for a minute. Returns how many are credited. */
export async function waitUntilCredited(rig: TestRig, expected: number): Promise<number> {
  let highest = -1;
  let lastProgressMs = performance.now();
  for (;;) {
    const credited = await countCredited(rig);
    if (credited > highest) [highest, lastProgressMs] = [credited, performance.now()];
    if (credited >= expected || performance.now() > lastProgressMs + timeoutMs) return credited;
    await sleep(pollIntervalMs);
  }
}
