import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { saveResult, thisMachine } from '../save-result.ts';
import { type OnEnd, withEnds } from '../with-ends.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { figures } from './figures.ts';
import { type Round, reasonsAgainst } from './judge-round.ts';
import { LONE_PAYMENT, type Options, OVERLOAD, readOptions } from './options.ts';
import { findPgbench, type Pgbench, preparePgbench } from './pgbench.ts';
import { printLone, printOverload, printRound, printSummaries } from './print-findings.ts';
import { type LatencyRound, runLatencyRound } from './run-latency-round.ts';
import { runRound } from './run-round.ts';
import { openStand, type Stand } from './stand.ts';
import { summarize } from './summarize.ts';

/** How fast payments are settled and charges created, beside pgbench on the same PostgreSQL. See bench/README.md. */
export async function benchReceiving(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  await withEnds((onEnd) => run(options, onEnd));
}

type Bench = {
  readonly options: Options;
  readonly cluster: Cluster;
  /** Opens a stand for one round, and closes it after. */
  onStand<Found>(use: (stand: Stand) => Promise<Found>): Promise<Found>;
};

const otherEnd = 'Banco Sandbox in a process of its own, asked over HTTP, its journal on disk';

async function run(options: Options, onEnd: OnEnd): Promise<void> {
  const machine = thisMachine();
  const pgbenchProgram = findPgbench();
  const folder = mkdtempSync(join(tmpdir(), 'jangada-bench-'));
  onEnd(async () => rmSync(folder, { recursive: true, force: true }));
  const cluster = await startCluster(join(folder, 'data'));
  onEnd(() => cluster.stop());
  const bench = { options, cluster, onStand: standsIn(folder, cluster, options, onEnd) };
  console.log(
    `${cluster.version}\n${Object.entries(cluster.settings)
      .map(([name, value]) => `${name}=${value}`)
      .join(' ')}`,
  );
  console.log(
    `${machine.cores} cores, ${machine.processor}, load ${machine.loadAverage}. At the other end of the confirmation: ${otherEnd}.`,
  );

  const { rounds, pgbench } = await measureRounds(bench, pgbenchProgram, onEnd);
  const latencies = await measureLatencies(bench);
  report(bench, { machine, pgbench, rounds, latencies });
}

function standsIn(folder: string, cluster: Cluster, { profile }: Options, onEnd: OnEnd): Bench['onStand'] {
  let last = 0;
  return async (use) => {
    last += 1;
    const stand = await openStand({
      cluster,
      folder: join(folder, `round-${last}`),
      database: `round_${last}`,
      profile,
    });
    onEnd(stand.close);
    const found = await use(stand);
    await stand.close();
    return found;
  };
}

type JudgedRound = Round & { readonly against: readonly string[] };

async function measureRounds(
  { options: { plan, only }, cluster, onStand }: Bench,
  program: string,
  onEnd: OnEnd,
): Promise<{ rounds: JudgedRound[]; pgbench: Pgbench | undefined }> {
  const chosen = figures.filter(({ name }) => only?.includes(name) ?? true);
  const rounds: JudgedRound[] = [];
  if (chosen.length === 0) return { rounds, pgbench: undefined };
  await cluster.createDatabase('control');
  const pgbench = await preparePgbench(program, cluster.url('control'), onEnd);
  const began = performance.now();
  const valid = () => rounds.filter(({ against }) => against.length === 0).length;
  const inTime = () => performance.now() - began < plan.lastRoundSeconds * 1000;
  while (rounds.length === 0 || (valid() < plan.rounds && rounds.length < plan.mostRounds && inTime())) {
    const round = await onStand((stand) => runRound({ stand, pgbench, figures: chosen, plan }));
    const against = reasonsAgainst(round);
    rounds.push({ ...round, against });
    printRound(rounds.length, round, against);
  }
  return { rounds, pgbench };
}

async function measureLatencies({
  options: { plan, only },
  onStand,
}: Bench): Promise<LatencyRound | undefined> {
  const parts = [LONE_PAYMENT, OVERLOAD].filter((name) => only?.includes(name) ?? true);
  return parts.length === 0 ? undefined : onStand((stand) => runLatencyRound({ stand, plan, parts }));
}

type Findings = {
  readonly machine: ReturnType<typeof thisMachine>;
  readonly pgbench: Pgbench | undefined;
  readonly rounds: readonly JudgedRound[];
  readonly latencies: LatencyRound | undefined;
};

/** Prints what was found, and keeps it when it is the whole of it and enough of it counts. */
function report(
  { options: { plan, only }, cluster }: Bench,
  { machine, pgbench, rounds, latencies }: Findings,
): void {
  const valid = rounds.filter(({ against }) => against.length === 0);
  const summaries = summarize(figures, valid);
  printSummaries(summaries);
  if (valid.length === 0 && rounds.length > 0) {
    console.log(
      '\nNo round counts. To look for the reason, and for nothing else, what the void ones came to:',
    );
    printSummaries(summarize(figures, rounds));
  }
  if (latencies?.lone) printLone(latencies.lone);
  if (latencies?.overload) printOverload(latencies.overload);
  for (const fault of latencies?.faults ?? [])
    console.log(`VOID, what a lone payment and a crowd get: ${fault}`);

  const enough = valid.length >= plan.rounds && latencies?.faults.length === 0;
  if (plan.quick || only !== undefined) {
    console.log('\nA quick look or a part: not kept in bench/results/.');
  } else if (enough) {
    const { version: postgres, settings } = cluster;
    const versions = { postgres, pgbench: pgbench?.version, node: process.version };
    saveResult('receiving', { machine, versions, settings, otherEnd, plan, summaries, rounds, latencies });
  } else {
    console.log(
      `\nOnly ${valid.length} of ${plan.rounds} rounds count: nothing is kept. Is something else at work on this machine?`,
    );
  }
  if (!enough && only === undefined) process.exitCode = 1;
}
