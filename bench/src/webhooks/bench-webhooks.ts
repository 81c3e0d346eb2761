import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cluster, startCluster } from '../receiving/cluster.ts';
import { meanOf } from '../receiving/judge-round.ts';
import { findPgbench, preparePgbench } from '../receiving/pgbench.ts';
import { saveResult, thisMachine } from '../save-result.ts';
import { type OnEnd, withEnds } from '../with-ends.ts';
import { type DelayRound, measureDelays } from './measure-delays.ts';
import { measureThroughput } from './measure-throughput.ts';
import { type Options, readOptions } from './options.ts';
import type { WantedPayments } from './prepare-payments.ts';
import { medianDelays, printDelays, printThroughput } from './print-webhooks.ts';
import { openScene, type Scene } from './scene.ts';

const goal = { perSecond: 1000, p99Ms: 500 };

/** How fast webhooks are delivered while some endpoints fail and hang. See bench/README.md. */
export async function benchWebhooks(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  await withEnds((onEnd) => run(options, onEnd));
}

async function run({ plan, profile }: Options, onEnd: OnEnd): Promise<void> {
  const machine = thisMachine();
  const program = findPgbench();
  const folder = mkdtempSync(join(tmpdir(), 'jangada-bench-'));
  onEnd(async () => rmSync(folder, { recursive: true, force: true }));
  const cluster = await startCluster(join(folder, 'data'));
  onEnd(() => cluster.stop());
  console.log(
    `${cluster.version}\n${machine.cores} cores, ${machine.processor}, load ${machine.loadAverage}.`,
  );
  await cluster.createDatabase('control');
  const pgbench = await preparePgbench(program, cluster.url('control'), onEnd);
  const open = scenesOn(cluster, folder, profile, onEnd);

  const name = 'flood';
  const scene = await open([{ name, count: plan.deliveries, perNotice: 100, troubled: true }]);
  const before = await pgbench.run(plan.controlSeconds);
  const throughput = await measureThroughput(scene, name);
  const controls = { before, after: await pgbench.run(plan.controlSeconds) };
  printThroughput(throughput, controls, goal.perSecond);

  const perSecond = Math.floor(Math.min(goal.perSecond, throughput.perSecond) / 2);
  const rounds: DelayRound[] = [];
  while (rounds.length < plan.delayRounds) {
    const count = perSecond * plan.delaySeconds;
    const quiet = { name: 'quiet', count, perNotice: 1, troubled: false };
    const troubled = { name: 'troubled', count, perNotice: 1, troubled: true };
    const names = { quiet: quiet.name, troubled: troubled.name };
    const round = await measureDelays(await open([quiet, troubled]), names, perSecond);
    rounds.push(round);
    printDelays(rounds.length, perSecond, round);
  }

  const faults = [throughput, ...rounds].flatMap((found) => found.faults);
  for (const fault of faults) console.log(`VOID: ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
  else if (plan.quick) console.log('\nA quick look: not kept in bench/results/.');
  else
    saveResult('webhooks', {
      machine,
      versions: { postgres: cluster.version, pgbench: pgbench.version, node: process.version },
      settings: cluster.settings,
      plan,
      goal,
      throughput: { ...throughput, controls, ratio: throughput.perSecond / meanOf(controls) },
      delays: {
        perSecond,
        quiet: medianDelays(rounds, 'quiet'),
        troubled: medianDelays(rounds, 'troubled'),
        rounds,
      },
    });
}

/** Each has a database, a bank, receivers and a gateway of its own. */
function scenesOn(cluster: Cluster, folder: string, profile: string | undefined, onEnd: OnEnd) {
  let last = 0;
  return (wanted: readonly WantedPayments[]): Promise<Scene> => {
    last += 1;
    return openScene({
      cluster,
      folder: join(folder, `scene-${last}`),
      database: `scene_${last}`,
      profile,
      wanted,
      onEnd,
    });
  };
}
