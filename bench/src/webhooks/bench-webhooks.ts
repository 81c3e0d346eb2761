import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchOutcome, Counts } from '../outcome.ts';
import { type Cluster, startCluster } from '../receiving/cluster.ts';
import { type Controls, meanOf } from '../receiving/judge-round.ts';
import { findPgbench, lookForPgbench, type Pgbench, preparePgbench } from '../receiving/pgbench.ts';
import { saveResult, thisMachine } from '../save-result.ts';
import { type OnEnd, withEnds } from '../with-ends.ts';
import { type DelayRound, measureDelays } from './measure-delays.ts';
import { measureThroughput, type Throughput } from './measure-throughput.ts';
import { readOptions, smallPlan, type WebhookBenchOptions, type WebhookBenchPlan } from './options.ts';
import type { WantedPayments } from './prepare-payments.ts';
import { medianDelays, printDelays, printThroughput } from './print-webhooks.ts';
import { endScene, openScene, type Scene } from './scene.ts';

const goal = { perSecond: 1000, p99Ms: 500 };

/** How fast webhooks are delivered while some endpoints fail and hang. See bench/README.md. */
export async function benchWebhooks(args: readonly string[]): Promise<BenchOutcome> {
  const options = readOptions(args);
  let outcome: BenchOutcome = 'looked';
  await withEnds(async (onEnd) => {
    const machine = thisMachine();
    const program = findPgbench();
    outcome = report(options.plan, { machine, ...(await measure(options, program, onEnd)) });
  });
  return outcome;
}

/** A flood and a round of delays to a few endpoints, counting deliveries to healthy and other endpoints. */
export async function webhooksInSmall(): Promise<Counts> {
  let counts: Counts = {};
  await withEnds(async (onEnd) => {
    const options = { plan: smallPlan, profile: undefined };
    const { pgbench, throughput, rounds } = await measure(options, lookForPgbench(), onEnd);
    refuseFaults([throughput, ...rounds]);
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
  readonly controls: Controls | undefined;
  readonly throughput: Throughput;
  /** Payments per second while delays are measured. */
  readonly perSecond: number;
  readonly rounds: readonly DelayRound[];
};

async function measure(
  { plan, profile }: WebhookBenchOptions,
  program: string | undefined,
  onEnd: OnEnd,
): Promise<Findings> {
  const folder = mkdtempSync(join(tmpdir(), 'jangada-bench-'));
  onEnd(async () => rmSync(folder, { recursive: true, force: true }));
  const cluster = await startCluster(join(folder, 'data'));
  onEnd(() => cluster.stop());
  const { cores, processor, loadAverage } = thisMachine();
  console.log(`${cluster.version}\n${cores} cores, ${processor}, load ${loadAverage}.`);
  await cluster.createDatabase('control');
  const pgbench =
    program === undefined
      ? undefined
      : await preparePgbench(program, cluster.url('control'), plan.pgbenchScale, onEnd);
  const open = scenesOn(cluster, folder, { plan, profile }, onEnd);

  const flood = { name: 'flood', count: plan.deliveries, perNotice: 100, troubled: true };
  // Failing endpoints do not recover, so with a shared gateway the flood comes last.
  const shared = plan.together ? await open([...delayPayments(plan, goal.perSecond), flood]) : undefined;
  const together = shared && (await measureDelays(shared, delayNames, goal.perSecond));
  const scene = shared ?? (await open([flood]));
  const before = await pgbench?.run(plan.control);
  const throughputOf = await measureThroughput(scene, flood.name);
  const judged = await endScene(scene);
  const throughput = throughputOf(judged);
  const after = await pgbench?.run(plan.control);
  const controls = before === undefined || after === undefined ? undefined : { before, after };
  if (controls) printThroughput(throughput, controls, goal.perSecond);

  const perSecond = Math.max(1, Math.floor(Math.min(goal.perSecond, throughput.perSecond) / 2));
  const rounds: DelayRound[] = together === undefined ? [] : [together(judged)];
  while (rounds.length < plan.delayRounds) {
    const scene = await open(delayPayments(plan, perSecond));
    const delaysOf = await measureDelays(scene, delayNames, perSecond);
    rounds.push(delaysOf(await endScene(scene)));
  }
  for (const [at, round] of rounds.entries()) printDelays(at + 1, perSecond, round);
  return { cluster, pgbench, controls, throughput, perSecond, rounds };
}

const delayNames = { quiet: 'quiet', troubled: 'troubled' };

function delayPayments(plan: WebhookBenchPlan, perSecond: number): WantedPayments[] {
  const count = plan.delayPayments ?? perSecond * plan.delaySeconds;
  return [
    { name: delayNames.quiet, count, perNotice: 1, troubled: false },
    { name: delayNames.troubled, count, perNotice: 1, troubled: true },
  ];
}

/** @throws if a measurement has a fault */
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
  refuseFaults([throughput, ...rounds]);
  if (plan.quick) {
    console.log('\nA quick look: not kept in bench/results/.');
    return 'looked';
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
  return 'kept';
}

function refuseFaults(found: readonly { readonly faults: readonly string[] }[]): void {
  const faults = found.flatMap(({ faults }) => faults);
  if (faults.length > 0) throw new Error(`Nothing is kept: ${faults.join('; ')}`);
}

/** Each has its own database, bank, receivers and gateway. */
function scenesOn(cluster: Cluster, folder: string, { plan, profile }: WebhookBenchOptions, onEnd: OnEnd) {
  let last = 0;
  return (wanted: readonly WantedPayments[]): Promise<Scene> => {
    last += 1;
    return openScene({
      cluster,
      folder: join(folder, `scene-${last}`),
      database: `scene_${last}`,
      profile,
      plan,
      wanted,
      onEnd,
    });
  };
}
