import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchOutcome, Counts } from '../outcome.ts';
import { saveResult, thisMachine } from '../save-result.ts';
import { type OnEnd, withEnds } from '../with-ends.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { type Figure, figures } from './figures.ts';
import { controlRatios, countingOf, type Round, reasonsAgainst } from './judge-round.ts';
import {
  LONE_PAYMENT,
  OVERLOAD,
  type ReceivingOptions,
  type ReceivingPlan,
  readOptions,
  smallPlan,
} from './options.ts';
import { findPgbench, lookForPgbench, type Pgbench, preparePgbench } from './pgbench.ts';
import { printControlNoise, printLone, printOverload, printRound, printSummaries } from './print-findings.ts';
import { type LatencyRound, runLatencyRound } from './run-latency-round.ts';
import { runRound } from './run-round.ts';
import { runTogether } from './run-together.ts';
import { openStand, type Stand } from './stand.ts';
import { summarize } from './summarize.ts';

/** How fast payments are settled and charges created, beside pgbench on the same PostgreSQL. See bench/README.md. */
export async function benchReceiving(args: readonly string[]): Promise<BenchOutcome> {
  const options = readOptions(args);
  let outcome: BenchOutcome = 'looked';
  await withEnds(async (onEnd) => {
    const machine = thisMachine();
    const program = findPgbench();
    outcome = report(options, { machine, ...(await measure(options, program, onEnd)) });
  });
  return outcome;
}

/** Counts what is settled and created by every figure, the lone payment and a crowd, with a few hundred of each. */
export async function receivingInSmall(): Promise<Counts> {
  let counts: Counts = {};
  await withEnds(async (onEnd) => {
    const options = { plan: smallPlan, only: undefined, profile: undefined };
    const { pgbench, rounds, latencies } = await measure(options, lookForPgbench(), onEnd);
    const faults = [...rounds.flatMap(reasonsAgainst), ...(latencies?.faults ?? ['no latencies'])];
    if (faults.length > 0) throw new Error(faults.join('; '));
    const overload = latencies?.overload;
    counts = {
      'slices of the control': pgbench?.runs ?? 0,
      rounds: rounds.length,
      ...Object.fromEntries(
        rounds.flatMap(({ figures }) => figures.map(({ name, acknowledged }) => [name, acknowledged])),
      ),
      [LONE_PAYMENT]: latencies?.lone?.payments ?? 0,
      crowds: overload?.crowds.length ?? 0,
      'steady notifications': overload?.trickleAlone.byStatus['200'] ?? 0,
    };
  });
  return counts;
}

type Bench = {
  readonly options: ReceivingOptions;
  readonly cluster: Cluster;
  /** Opens a stand for one round, and closes it afterwards. */
  onStand<Found>(use: (stand: Stand) => Promise<Found>): Promise<Found>;
};

type Findings = {
  readonly cluster: Cluster;
  readonly pgbench: Pgbench | undefined;
  readonly rounds: readonly Round[];
  readonly latencies: LatencyRound | undefined;
};

const otherEnd = 'Banco Sandbox in a process of its own, asked over HTTP, its journal on disk';

async function measure(
  options: ReceivingOptions,
  program: string | undefined,
  onEnd: OnEnd,
): Promise<Findings> {
  const folder = mkdtempSync(join(tmpdir(), 'jangada-bench-'));
  onEnd(async () => rmSync(folder, { recursive: true, force: true }));
  const cluster = await startCluster(join(folder, 'data'));
  onEnd(() => cluster.stop());
  const bench = { options, cluster, onStand: standsIn(folder, cluster, options, onEnd) };
  printSurroundings(cluster);
  if (options.plan.together) return { cluster, ...(await measureTogether(bench, program, onEnd)) };
  return {
    cluster,
    ...(await measureRounds(bench, program, onEnd)),
    latencies: await measureLatencies(bench),
  };
}

async function measureTogether(
  { options: { plan }, cluster, onStand }: Bench,
  program: string | undefined,
  onEnd: OnEnd,
): Promise<Omit<Findings, 'cluster'>> {
  const pgbench = await prepareControl(cluster, program, plan, onEnd);
  const { round, latencies } = await onStand((stand) => runTogether({ stand, pgbench, figures, plan }));
  printRound(1, round, reasonsAgainst(round));
  return { pgbench, rounds: [round], latencies };
}

async function prepareControl(
  cluster: Cluster,
  program: string | undefined,
  plan: ReceivingPlan,
  onEnd: OnEnd,
): Promise<Pgbench | undefined> {
  if (program === undefined) return undefined;
  await cluster.createDatabase('control');
  return preparePgbench(program, cluster.url('control'), plan.pgbenchScale, onEnd);
}

function printSurroundings({ version, settings }: Cluster): void {
  const { cores, processor, loadAverage } = thisMachine();
  const shown = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  console.log(`${version}\n${shown.join(' ')}`);
  console.log(
    `${cores} cores, ${processor}, load ${loadAverage}. At the other end of the confirmation: ${otherEnd}.`,
  );
}

function standsIn(
  folder: string,
  cluster: Cluster,
  { profile }: ReceivingOptions,
  onEnd: OnEnd,
): Bench['onStand'] {
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

async function measureRounds(
  { options: { plan, only }, cluster, onStand }: Bench,
  program: string | undefined,
  onEnd: OnEnd,
): Promise<Pick<Findings, 'rounds' | 'pgbench'>> {
  const chosen = chosenOf(only);
  const rounds: Round[] = [];
  if (chosen.length === 0) return { rounds, pgbench: undefined };
  const pgbench = await prepareControl(cluster, program, plan, onEnd);
  const began = performance.now();
  const inTime = () => performance.now() - began < plan.lastRoundSeconds * 1000;
  const goesOn = () => rounds.length < plan.mostRounds && inTime();
  while (rounds.length === 0 || (wanting(chosen, rounds, plan).length > 0 && goesOn())) {
    const round = await onStand((stand) => runRound({ stand, pgbench, figures: chosen, plan }));
    rounds.push(round);
    printRound(rounds.length, round, reasonsAgainst(round));
  }
  return { rounds, pgbench };
}

function chosenOf(only: ReceivingOptions['only']): Figure[] {
  return figures.filter(({ name }) => only?.includes(name) ?? true);
}

/** The figures that lack valid measurements. */
function wanting(
  chosen: readonly Figure[],
  rounds: readonly Round[],
  { rounds: wanted }: ReceivingPlan,
): string[] {
  return chosen.map(({ name }) => name).filter((name) => countingOf(name, rounds).length < wanted);
}

async function measureLatencies({
  options: { plan, only },
  onStand,
}: Bench): Promise<LatencyRound | undefined> {
  const parts = [LONE_PAYMENT, OVERLOAD].filter((name) => only?.includes(name) ?? true);
  return parts.length === 0 ? undefined : onStand((stand) => runLatencyRound({ stand, plan, parts }));
}

/**
 * Prints the results, and stores them if they are complete.
 * @throws if too few measurements are valid
 */
function report(
  { plan, only }: ReceivingOptions,
  { machine, cluster, pgbench, rounds, latencies }: Findings & { machine: ReturnType<typeof thisMachine> },
): BenchOutcome {
  const summaries = summarize(figures, rounds);
  const controlNoise = controlRatios(rounds);
  printSummaries(summaries);
  printControlNoise(controlNoise);
  if (latencies?.lone) printLone(latencies.lone);
  if (latencies?.overload) printOverload(latencies.overload);
  for (const fault of latencies?.faults ?? [])
    console.log(`VOID, what a lone payment and a crowd get: ${fault}`);

  if (only !== undefined) {
    console.log('\nA part: not kept in bench/results/.');
    return 'looked';
  }
  const tooFew = wanting(figures, rounds, plan);
  if (tooFew.length > 0)
    throw new Error(
      `Nothing is kept: ${tooFew.join(', ')} did not count ${plan.rounds} times. Is something else at work on this machine?`,
    );
  if (latencies?.faults.length !== 0)
    throw new Error('Nothing is kept: what a lone payment and a crowd get is void.');
  if (plan.quick) {
    console.log('\nA quick look: not kept in bench/results/.');
    return 'looked';
  }
  const versions = { postgres: cluster.version, pgbench: pgbench?.version, node: process.version };
  const { settings } = cluster;
  saveResult('receiving', {
    machine,
    versions,
    settings,
    otherEnd,
    plan,
    summaries,
    controlNoise,
    rounds,
    latencies,
  });
  return 'kept';
}
