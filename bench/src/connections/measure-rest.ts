import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import type { BenchGateway, TestRig } from '../receiving/test-rig.ts';

/** The work of the gateway while nobody calls it. */
export type Rest = {
  /** Calls to banks in a minute, those at the operator's own account included. */
  readonly bankCallsPerMinute: number;
  /** Transactions in a minute: most of them are a single statement. */
  readonly transactionsPerMinute: number;
  readonly residentMib: number;
};

/** The start of the gateway and its first turns are not counted. */
const settleSeconds = 5;

export async function measureRest(rig: TestRig, gateway: BenchGateway, seconds: number): Promise<Rest> {
  await sleep(Math.min(settleSeconds, seconds) * 1000);
  const startMs = performance.now();
  const start = await readWork(rig, gateway);
  await sleep(seconds * 1000);
  const end = await readWork(rig, gateway);
  const perMinute = 60_000 / (performance.now() - startMs);
  return {
    bankCallsPerMinute: (end.bankCalls - start.bankCalls) * perMinute,
    transactionsPerMinute: (end.transactions - start.transactions) * perMinute,
    residentMib: residentMib(gateway.process.pid),
  };
}

async function readWork({ pool }: TestRig, { metricsUrl }: BenchGateway) {
  if (metricsUrl === undefined) throw new Error('The gateway has no metrics.');
  // Before the metrics are read, which takes statements itself.
  const { rows } = await pool.query<{ transactions: number }>(
    `select (xact_commit + xact_rollback)::bigint as transactions from pg_stat_database
     where datname = current_database()`,
  );
  const text = await (await request(metricsUrl)).body.text();
  const counts = text.matchAll(/^jangada_bank_exchange_duration_seconds_count\{[^}]*\} (\d+)$/gm);
  return {
    transactions: rows[0]?.transactions ?? 0,
    bankCalls: [...counts].reduce((sum, [, count]) => sum + Number(count), 0),
  };
}

/** The memory of a process that is in RAM (VmRSS, proc(5)), in MiB. */
export function residentMib(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  if (kib === undefined) throw new Error('The memory of the gateway is not known.');
  return Number(kib) / 1024;
}
