import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { interruption } from '../interruption.ts';
import { startCluster } from './cluster.ts';
import { figures } from './figures.ts';
import { measureFigure } from './measure-figure.ts';
import { findPgbench, preparePgbench } from './pgbench.ts';
import { prepare, type Wanted } from './prepare-round.ts';
import { openStand } from './stand.ts';

export async function benchReceiving(args: readonly string[]): Promise<void> {
  const interrupted = interruption();
  const ends: (() => Promise<unknown>)[] = [];
  try {
    await Promise.race([run(args, (end) => void ends.push(end)), interrupted]);
  } finally {
    for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end();
  }
}

async function run(args: readonly string[], onEnd: (end: () => Promise<unknown>) => void): Promise<void> {
  const onlyAt = args.indexOf('--only');
  const only = onlyAt < 0 ? undefined : args[onlyAt + 1]?.split(',');
  const profileAt = args.indexOf('--profile');
  const profile = profileAt < 0 ? undefined : args[profileAt + 1];
  const quick = args.includes('--quick');
  const seconds = quick ? 4 : 8;
  const chosen = figures.filter(({ name }) => only === undefined || only.includes(name));
  const program = findPgbench();
  const folder = mkdtempSync(join(tmpdir(), 'jangada-bench-'));
  onEnd(async () => rmSync(folder, { recursive: true, force: true }));
  const cluster = await startCluster(join(folder, 'data'));
  onEnd(() => cluster.stop());
  console.log(cluster.version, JSON.stringify(cluster.settings));
  await cluster.createDatabase('control');
  const pgbench = await preparePgbench(program, cluster.url('control'));
  onEnd(() => pgbench.stop());
  const stand = await openStand({ cluster, folder: join(folder, 'round'), database: 'round', profile });
  onEnd(() => stand.close());
  const warm: Wanted[] = [
    { kind: 'settle', name: 'warm-one', perNotice: 1, merchants: 'many', receiver: 'silent', count: 2000 },
    {
      kind: 'settle',
      name: 'warm-hundred',
      perNotice: 100,
      merchants: 'many',
      receiver: 'silent',
      count: 5000,
    },
    { kind: 'create', name: 'warm-create', picture: true, count: 500 },
  ];
  const began = performance.now();
  const prepared = await prepare(stand, [
    ...warm,
    ...chosen.map((figure): Wanted => ({ ...figure, count: figure.preparedPerSecond * seconds })),
  ]);
  console.log(`prepared in ${Math.round((performance.now() - began) / 1000)} s`);
  const before = await pgbench.run(quick ? 6 : 12);
  const gateway = await stand.startGateway();
  for (const { name, kind, perNotice } of warm.map((one) => ({ perNotice: 1, ...one }))) {
    const calls = prepared.calls.get(name);
    if (calls) await measureFigure(stand, gateway, { name, kind, perNotice, connections: 16 }, calls, 3);
  }
  for (const figure of chosen) {
    const calls = prepared.calls.get(figure.name);
    if (calls === undefined) continue;
    const measured = await measureFigure(stand, gateway, figure, calls, seconds);
    console.log(JSON.stringify({ ...measured, ratioToControlBefore: measured.perSecond / before }));
  }
  await gateway.stop();
  const after = await pgbench.run(quick ? 6 : 12);
  console.log({ before, after });
}
