import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchOutcome, type Counts, saveResult, thisMachine } from '../bench-result.ts';
import { type RegisterCleanup, withCleanups } from '../interruption.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { type Figure, figures } from './figures.ts';
import { controlRatios, type Round, validMeasurementsOf, voidingReasons } from './judge-round.ts';
import {
  LONE_PAYMENT,
  OVERLOAD,
  type ReceivingOptions,
  type ReceivingPlan,
  readOptions,
  smallPlan,
} from './options.ts';
import { findOrInstallPgbench, findPgbench, type Pgbench, preparePgbench } from './pgbench.ts';
import { printControlNoise, printLone, printOverload, printRound, printSummaries } from './print-findings.ts';
import { type LatencyRound, runLatencyRound } from './run-latency-round.ts';
import { runRound } from './run-round.ts';
import { runTogether } from './run-together.ts';
import { summarize } from './summarize.ts';
import { openTestRig, type TestRig } from './test-rig.ts';

/**
 * Measures how fast payments are settled and charges created. Each figure is compared with the control:
 * pgbench on the same PostgreSQL, right before and after the figure. bench/README.md describes the method.
 */
export async function benchReceiving(args: readonly string[]): Promise<BenchOutcome> {
  const options = readOptions(args);
  let outcome: BenchOutcome = 'preview';
  await withCleanups(async (onEnd) => {
    const machine = thisMachine();
    const pgbenchProgram = findOrInstallPgbench();
    outcome = report(options, { machine, ...(await measure(options, pgbenchProgram, onEnd)) });
  });
  return outcome;
}

/**
 * Measures each figure, lone payments and one crowd with a few payments or charges, and counts how many payments were
 * settled and charges created.
 */
export async function runSmallReceiving(): Promise<Counts> {
  let counts: Counts = {};
  await withCleanups(async (onEnd) => {
    const options = { plan: smallPlan, only: undefined, profile: undefined };
    const { pgbench, rounds, latencies } = await measure(options, findPgbench(), onEnd);
    const faults = [...rounds.flatMap(voidingReasons), ...(latencies?.faults ?? ['no latencies'])];
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

/** The parts that all measurements of one run use. */
type RunContext = {
  readonly options: ReceivingOptions;
  readonly cluster: Cluster;
  /** Opens a test rig for one round (database, bank, load and gateway), and closes it afterwards. */
  onRig<Result>(use: (rig: TestRig) => Promise<Result>): Promise<Result>;
};

type Findings = {
  readonly cluster: Cluster;
  readonly pgbench: Pgbench | undefined;
  readonly rounds: readonly Round[];
  readonly latencies: LatencyRound | undefined;
};

/** A description of the bank, for the printed and stored results. */
const bankDescription = 'Banco Sandbox in a process of its own, asked over HTTP, its journal on disk';

async function measure(
  options: ReceivingOptions,
  pgbenchProgram: string | undefined,
  onEnd: RegisterCleanup,
): Promise<Findings> {
  const folder = mkdtempSync(join(tmpdir(), 'jangada-bench-'));
  onEnd(async () => rmSync(folder, { recursive: true, force: true }));
  const cluster = await startCluster(join(folder, 'data'));
  onEnd(() => cluster.stop());
  const context: RunContext = { options, cluster, onRig: createRigRunner(folder, cluster, options, onEnd) };
  printSurroundings(cluster);
  if (options.plan.together) return { cluster, ...(await measureTogether(context, pgbenchProgram, onEnd)) };
  return {
    cluster,
    ...(await measureRounds(context, pgbenchProgram, onEnd)),
    latencies: await measureLatencies(context),
  };
}

async function measureTogether(
  { options: { plan }, cluster, onRig }: RunContext,
  pgbenchProgram: string | undefined,
  onEnd: RegisterCleanup,
): Promise<Omit<Findings, 'cluster'>> {
  const pgbench = await prepareControl(cluster, pgbenchProgram, plan, onEnd);
  const { round, latencies } = await onRig((rig) => runTogether({ rig, pgbench, figures, plan }));
  printRound(1, round, voidingReasons(round));
  return { pgbench, rounds: [round], latencies };
}

async function prepareControl(
  cluster: Cluster,
  pgbenchProgram: string | undefined,
  plan: ReceivingPlan,
  onEnd: RegisterCleanup,
): Promise<Pgbench | undefined> {
  if (pgbenchProgram === undefined) return undefined;
  await cluster.createDatabase('control');
  return preparePgbench(pgbenchProgram, cluster.url('control'), plan.pgbenchScale, onEnd);
}

function printSurroundings({ version, settings }: Cluster): void {
  const { cores, processor, loadAverage } = thisMachine();
  const settingTexts = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  console.log(`${version}\n${settingTexts.join(' ')}`);
  console.log(
    `${cores} cores, ${processor}, load ${loadAverage}. At the other end of the confirmation: ${bankDescription}.`,
  );
}

/** Returns the function `onRig`, which numbers the rigs in the order in which they are opened. */
function createRigRunner(
  folder: string,
  cluster: Cluster,
  { profile }: ReceivingOptions,
  onEnd: RegisterCleanup,
): RunContext['onRig'] {
  let roundNumber = 0;
  return async (use) => {
    roundNumber += 1;
    const rig = await openTestRig({
      cluster,
      folder: join(folder, `round-${roundNumber}`),
      database: `round_${roundNumber}`,
      profile,
    });
    onEnd(rig.close);
    const result = await use(rig);
    await rig.close();
    return result;
  };
}

async function measureRounds(
  { options: { plan, only }, cluster, onRig }: RunContext,
  pgbenchProgram: string | undefined,
  onEnd: RegisterCleanup,
): Promise<Pick<Findings, 'rounds' | 'pgbench'>> {
  const selectedFigures = selectFigures(only);
  const rounds: Round[] = [];
  if (selectedFigures.length === 0) return { rounds, pgbench: undefined };
  const pgbench = await prepareControl(cluster, pgbenchProgram, plan, onEnd);
  const startMs = performance.now();
  const isTimeLeft = () => performance.now() - startMs < plan.lastRoundSeconds * 1000;
  const mayRepeat = () => rounds.length < plan.mostRounds && isTimeLeft();
  const isIncomplete = () => figuresToRepeat(selectedFigures, rounds, plan).length > 0;
  while (rounds.length === 0 || (isIncomplete() && mayRepeat())) {
    const round = await onRig((rig) => runRound({ rig, pgbench, figures: selectedFigures, plan }));
    rounds.push(round);
    printRound(rounds.length, round, voidingReasons(round));
  }
  return { rounds, pgbench };
}

function selectFigures(only: ReceivingOptions['only']): Figure[] {
  return figures.filter(({ name }) => only?.includes(name) ?? true);
}

/** Returns the names of the figures that do not have enough valid measurements yet. */
function figuresToRepeat(
  selectedFigures: readonly Figure[],
  rounds: readonly Round[],
  { rounds: requiredMeasurements }: ReceivingPlan,
): string[] {
  return selectedFigures
    .map(({ name }) => name)
    .filter((name) => validMeasurementsOf(name, rounds).length < requiredMeasurements);
}

async function measureLatencies({
  options: { plan, only },
  onRig,
}: RunContext): Promise<LatencyRound | undefined> {
  const parts = [LONE_PAYMENT, OVERLOAD].filter((name) => only?.includes(name) ?? true);
  return parts.length === 0 ? undefined : onRig((rig) => runLatencyRound({ rig, plan, parts }));
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
    return 'preview';
  }
  const incomplete = figuresToRepeat(figures, rounds, plan);
  if (incomplete.length > 0)
    throw new Error(
      `Nothing is kept: ${incomplete.join(', ')} did not count ${plan.rounds} times. Is something else at work on this machine?`,
    );
  if (latencies?.faults.length !== 0)
    throw new Error('Nothing is kept: what a lone payment and a crowd get is void.');
  if (plan.quick) {
    console.log('\nA quick look: not kept in bench/results/.');
    return 'preview';
  }
  const versions = { postgres: cluster.version, pgbench: pgbench?.version, node: process.version };
  const { settings } = cluster;
  saveResult('receiving', {
    machine,
    versions,
    settings,
    otherEnd: bankDescription,
    plan,
    summaries,
    controlNoise,
    rounds,
    latencies,
  });
  return 'saved';
}
