import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchOutcome, type Counts, saveResult, thisMachine } from '../bench-result.ts';
import { type RegisterCleanup, withCleanups } from '../interruption.ts';
import { type Cluster, startCluster } from '../receiving/cluster.ts';
import { type Controls, meanOf } from '../receiving/judge-round.ts';
import { findOrInstallPgbench, findPgbench, type Pgbench, preparePgbench } from '../receiving/pgbench.ts';
import { type DelayRound, measureDelays } from './measure-delays.ts';
import { measureThroughput, type Throughput } from './measure-throughput.ts';
import { readOptions, smallPlan, type WebhookBenchOptions, type WebhookBenchPlan } from './options.ts';
import type { PaymentGroup } from './prepare-payments.ts';
import { medianDelays, printDelays, printThroughput } from './print-webhooks.ts';
import { openWebhookRig, stopAndJudge, type WebhookRig } from './webhook-rig.ts';

/**
 * The goal: at least so many deliveries per second, and at half of that rate at most this 99th percentile of delays.
 */
const goal = { perSecond: 2500, p99Ms: 250 };
/** The payments per second while delays are measured, unless the machine delivers less than twice as many. */
const delayLoad = 500;

/**
 * Measures how fast webhooks are delivered while some endpoints fail and hang: deliveries per second, and the
 * delay of each. bench/README.md describes the method.
 */
export async function benchWebhooks(args: readonly string[]): Promise<BenchOutcome> {
  const options = readOptions(args);
  let outcome: BenchOutcome = 'preview';
  await withCleanups(async (onEnd) => {
    const machine = thisMachine();
    const pgbenchProgram = findOrInstallPgbench();
    outcome = report(options.plan, { machine, ...(await measure(options, pgbenchProgram, onEnd)) });
  });
  return outcome;
}

/**
 * Makes both measurements with a few endpoints, and counts the deliveries to healthy and the first calls to failing
 * endpoints.
 */
export async function runSmallWebhooks(): Promise<Counts> {
  let counts: Counts = {};
  await withCleanups(async (onEnd) => {
    const options = { plan: smallPlan, profile: undefined };
    const { pgbench, throughput, rounds } = await measure(options, findPgbench(), onEnd);
    requireNoFaults([throughput, ...rounds]);
    const [round] = rounds;
    counts = {
      'slices of the control': pgbench?.runs ?? 0,
      deliveries: throughput.deliveries,
      'first calls to those that fail': throughput.troubled.failing.first,
      'delays while all are well': round?.quiet.deliveries ?? 0,
      'delays while some fail and hang': round?.troubled.deliveries ?? 0,
    };
  });
  return counts;
}

type Findings = {
  readonly cluster: Cluster;
  readonly pgbench: Pgbench | undefined;
  /** pgbench before and after the measurement of throughput; undefined where pgbench is missing. */
  readonly controls: Controls | undefined;
  readonly throughput: Throughput;
  /** Payments per second while delays are measured. */
  readonly perSecond: number;
  readonly rounds: readonly DelayRound[];
};

async function measure(
  { plan, profile }: WebhookBenchOptions,
  pgbenchProgram: string | undefined,
  onEnd: RegisterCleanup,
): Promise<Findings> {
  const folder = mkdtempSync(join(tmpdir(), 'jangada-bench-'));
  onEnd(async () => rmSync(folder, { recursive: true, force: true }));
  const cluster = await startCluster(join(folder, 'data'));
  onEnd(() => cluster.stop());
  const { cores, processor, loadAverage } = thisMachine();
  console.log(`${cluster.version}\n${cores} cores, ${processor}, load ${loadAverage}.`);
  await cluster.createDatabase('control');
  const pgbench =
    pgbenchProgram === undefined
      ? undefined
      : await preparePgbench(pgbenchProgram, cluster.url('control'), plan.pgbenchScale, onEnd);
  const openRig = createRigOpener(cluster, folder, { plan, profile }, onEnd);

  const flood = {
    name: 'flood',
    count: plan.deliveries,
    paymentsPerNotification: 100,
    someEndpointsFail: true,
  };
  // Endpoints that fail do not recover, and the measurement of delays begins with healthy endpoints. On a shared rig
  // the delays are therefore measured before the throughput.
  const sharedRig = plan.together ? await openRig([...delayPayments(plan, delayLoad), flood]) : undefined;
  const sharedDelaysOf = sharedRig && (await measureDelays(sharedRig, delayNames, delayLoad));
  const webhookRig = sharedRig ?? (await openRig([flood]));
  const controlBefore = await pgbench?.run(plan.control);
  const throughputOf = await measureThroughput(webhookRig, flood.name);
  const judged = await stopAndJudge(webhookRig);
  const throughput = throughputOf(judged);
  const controlAfter = await pgbench?.run(plan.control);
  const controls =
    controlBefore === undefined || controlAfter === undefined
      ? undefined
      : { before: controlBefore, after: controlAfter };
  if (controls) printThroughput(throughput, controls, goal.perSecond);

  const perSecond = Math.max(1, Math.floor(Math.min(delayLoad, throughput.perSecond / 2)));
  const rounds: DelayRound[] = sharedDelaysOf === undefined ? [] : [sharedDelaysOf(judged)];
  while (rounds.length < plan.delayRounds) {
    const delayRig = await openRig(delayPayments(plan, perSecond));
    const delaysOf = await measureDelays(delayRig, delayNames, perSecond);
    rounds.push(delaysOf(await stopAndJudge(delayRig)));
  }
  for (const [index, round] of rounds.entries()) printDelays(index + 1, perSecond, round);
  return { cluster, pgbench, controls, throughput, perSecond, rounds };
}

const delayNames = { quiet: 'quiet', troubled: 'troubled' };

function delayPayments(plan: WebhookBenchPlan, perSecond: number): PaymentGroup[] {
  const count = plan.delayPayments ?? perSecond * plan.delaySeconds;
  return [
    { name: delayNames.quiet, count, paymentsPerNotification: 1, someEndpointsFail: false },
    { name: delayNames.troubled, count, paymentsPerNotification: 1, someEndpointsFail: true },
  ];
}

/**
 * Stores the results, unless the plan is a preview.
 * @throws if a measurement has a fault
 */
function report(
  plan: WebhookBenchPlan,
  {
    machine,
    cluster,
    pgbench,
    controls,
    throughput,
    perSecond,
    rounds,
  }: Findings & { machine: ReturnType<typeof thisMachine> },
): BenchOutcome {
  requireNoFaults([throughput, ...rounds]);
  if (plan.quick) {
    console.log('\nA quick look: not kept in bench/results/.');
    return 'preview';
  }
  saveResult('webhooks', {
    machine,
    versions: { postgres: cluster.version, pgbench: pgbench?.version, node: process.version },
    settings: cluster.settings,
    plan,
    goal,
    throughput: {
      ...throughput,
      controls,
      ...(controls && { ratio: throughput.perSecond / meanOf(controls) }),
    },
    delays: {
      perSecond,
      quiet: medianDelays(rounds, 'quiet'),
      troubled: medianDelays(rounds, 'troubled'),
      rounds,
    },
  });
  return 'saved';
}

function requireNoFaults(results: readonly { readonly faults: readonly string[] }[]): void {
  const faults = results.flatMap(({ faults }) => faults);
  if (faults.length > 0) throw new Error(`Nothing is kept: ${faults.join('; ')}`);
}

/** Returns a function that opens rigs, each with its own database, bank, receivers and gateway. */
function createRigOpener(
  cluster: Cluster,
  folder: string,
  { plan, profile }: WebhookBenchOptions,
  onEnd: RegisterCleanup,
) {
  let rigNumber = 0;
  return (groups: readonly PaymentGroup[]): Promise<WebhookRig> => {
    rigNumber += 1;
    return openWebhookRig({
      cluster,
      folder: join(folder, `rig-${rigNumber}`),
      database: `rig_${rigNumber}`,
      profile,
      plan,
      groups,
      onEnd,
    });
  };
}
