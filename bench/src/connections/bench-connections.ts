import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchOutcome, type Counts, saveResult, thisMachine } from '../bench-result.ts';
import { type RegisterCleanup, withCleanups } from '../interruption.ts';
import { type Cluster, startCluster } from '../receiving/cluster.ts';
import type { Measured } from '../receiving/measure-figure.ts';
import { openTestRig, type TestRig } from '../receiving/test-rig.ts';
import { type HangingResult, measureHanging } from './measure-hanging.ts';
import { measureSize, type SizeResult } from './measure-size.ts';
import { type ConnectionsPlan, readConnectionsOptions, smallPlan } from './options.ts';
import {
  HANGING_GOAL,
  printHanging,
  printSizes,
  summarizeHanging,
  summarizeSize,
} from './print-connections.ts';

type Findings = {
  readonly cluster: Pick<Cluster, 'version' | 'settings'>;
  readonly sizes: readonly SizeResult[];
  readonly hanging: HangingResult | undefined;
};

/**
 * Measures what accounts of merchants' own cost, and whether one bank that hangs slows the others. bench/README.md
 * describes the method.
 */
export async function benchConnections(args: readonly string[]): Promise<BenchOutcome> {
  const { plan, isPart } = readConnectionsOptions(args);
  const machine = thisMachine();
  console.log(`${machine.cores} cores, ${machine.processor}, load ${machine.loadAverage}.`);
  const { cluster, sizes, hanging } = await measure(plan);
  if (sizes.length > 1) printSizes(sizes);
  requireNoFaults({ sizes, hanging });
  if (plan.quick || isPart || hanging === undefined) {
    console.log(`\n${isPart ? 'A part' : 'A quick look'}: not kept in bench/results/.`);
    return 'preview';
  }
  saveResult('connections', {
    machine: { ...machine, loadAverageAtEnd: thisMachine().loadAverage },
    versions: { postgres: cluster.version, node: process.version },
    settings: cluster.settings,
    plan,
    goal: HANGING_GOAL,
    sizes: sizes.map((size) => ({ ...size, summary: summarizeSize(size) })),
    hanging: { ...hanging, summary: summarizeHanging(hanging) },
  });
  return 'saved';
}

/** Settles and creates a few payments and charges at three accounts, and counts them. */
export async function runSmallConnections(): Promise<Counts> {
  const { sizes, hanging } = await measure(smallPlan);
  requireNoFaults({ sizes, hanging });
  const { alone = [], beside = [] } = hanging ?? {};
  const sumOf = (measured: readonly Measured[]) =>
    measured.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  return {
    accounts: sizes.reduce((sum, { accounts }) => sum + accounts, 0),
    'settled at one account': sumOf(sizes.flatMap(({ one }) => one)),
    'settled at all accounts': sumOf(sizes.flatMap(({ all }) => all)),
    'settled alone': sumOf(alone.map(({ settled }) => settled)),
    'created alone': sumOf(alone.map(({ created }) => created)),
    'settled beside one that hangs': sumOf(beside.map(({ settled }) => settled)),
    'created beside one that hangs': sumOf(beside.map(({ created }) => created)),
  };
}

async function measure(plan: ConnectionsPlan): Promise<Findings> {
  let findings: Findings | undefined;
  await withCleanups(async (onEnd) => {
    const folder = mkdtempSync(join(tmpdir(), 'jangada-bench-'));
    onEnd(async () => rmSync(folder, { recursive: true, force: true }));
    const cluster = await startCluster(join(folder, 'data'));
    onEnd(() => cluster.stop());
    const onRig = createRigRunner(cluster, folder, onEnd);
    const sizes: SizeResult[] = [];
    for (const size of plan.sizes) {
      sizes.push(await onRig(`${size}_accounts`, (rig) => measureSize(rig, size, plan)));
      printSizes(sizes.slice(-1));
    }
    const hangingPlan = plan.hanging && { ...plan, hanging: plan.hanging };
    const hanging = hangingPlan && (await onRig('one_hangs', (rig) => measureHanging(rig, hangingPlan)));
    if (hanging !== undefined) printHanging(hanging);
    findings = { cluster, sizes, hanging };
  });
  if (findings === undefined) throw new Error('Nothing was measured.');
  return findings;
}

/** Returns a function that opens a rig with a new database and bank, and closes it after its use. */
function createRigRunner(cluster: Cluster, folder: string, onEnd: RegisterCleanup) {
  return async <Result>(name: string, use: (rig: TestRig) => Promise<Result>): Promise<Result> => {
    const startMs = performance.now();
    const rig = await openTestRig({
      cluster,
      folder: join(folder, name),
      database: `rig_${name}`,
      hasMetrics: true,
    });
    onEnd(rig.close);
    const result = await use(rig);
    await rig.close();
    console.log(`${name.replaceAll('_', ' ')}: ${Math.round((performance.now() - startMs) / 1000)} s`);
    return result;
  };
}

/** @throws if a call or the books show a fault, because then no figure counts */
function requireNoFaults({ sizes, hanging }: Pick<Findings, 'sizes' | 'hanging'>): void {
  const faults = [...sizes, ...(hanging === undefined ? [] : [hanging])].flatMap(({ faults }) => faults);
  if (faults.length > 0) throw new Error(`Nothing is kept: ${faults.join('; ')}`);
}
