import type { Figure } from './figures.ts';
import type { Round } from './judge-round.ts';
import { type Measured, measureFigure } from './measure-figure.ts';
import type { Plan } from './options.ts';
import type { Pgbench } from './pgbench.ts';
import { prepare, type Wanted } from './prepare-round.ts';
import type { Gateway, Stand } from './stand.ts';
import { type Acknowledged, verifyRound } from './verify-round.ts';

export type RoundOptions = {
  readonly stand: Stand;
  readonly pgbench: Pgbench;
  readonly figures: readonly Figure[];
  readonly plan: Plan;
};

/** Control, every figure, control; then the books are held against what was acknowledged. */
export async function runRound({ stand, pgbench, figures, plan }: RoundOptions): Promise<Round> {
  const files = await prepare(stand, [
    ...warmUps,
    ...figures.map((figure) => ({ ...figure, count: figure.preparedPerSecond * plan.figureSeconds })),
  ]);
  const before = await pgbench.run(plan.controlSeconds);
  const gateway = await stand.startGateway();
  const warm = await warmUp(stand, gateway, files);
  const measured: Measured[] = [];
  for (const figure of figures)
    measured.push(
      await measureFigure(stand, gateway, figure, fileOf(files, figure.name), plan.figureSeconds),
    );
  // Its sender goes on with what the receivers left unanswered: the control is to have the machine alone.
  await gateway.stop();
  const after = await pgbench.run(plan.controlSeconds);
  return {
    controls: { before, after },
    figures: measured,
    faults: await verifyRound(stand, sumOf([...warm, ...measured])),
  };
}

const warmSeconds = 3;
const warmSettle = { kind: 'settle', connections: 16, merchants: 'many', receiver: 'silent' } as const;
export const warmUps: readonly Wanted[] = [
  { ...warmSettle, name: 'warm-up-one', perNotice: 1, count: 4000 },
  { ...warmSettle, name: 'warm-up-hundred', perNotice: 100, count: 10_000 },
  { kind: 'create', name: 'warm-up-create', connections: 16, picture: true, count: 2000 },
];

/** What runs often is compiled by then, connections are open, the bank is known: as after the first minute of a day. */
export async function warmUp(
  stand: Stand,
  gateway: Gateway,
  files: ReadonlyMap<string, string>,
): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const one of warmUps)
    measured.push(await measureFigure(stand, gateway, one, fileOf(files, one.name), warmSeconds));
  return measured;
}

/** Everything that was acknowledged, for the books to be held against. */
export function sumOf(measured: readonly Measured[]): Acknowledged {
  const of = (kind: Measured['kind']) =>
    measured.filter((one) => one.kind === kind).reduce((sum, one) => sum + one.acknowledged, 0);
  return { payments: of('settle'), charges: of('create') };
}

export function fileOf(files: ReadonlyMap<string, string>, name: string): string {
  const file = files.get(name);
  if (file === undefined) throw new Error(`Nothing was prepared for ${name}.`);
  return file;
}
