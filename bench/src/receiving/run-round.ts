import type { Figure, Work } from './figures.ts';
import { fileOf } from './file-of.ts';
import type { Round } from './judge-round.ts';
import { type Measured, measureFigure } from './measure-figure.ts';
import type { Plan } from './options.ts';
import type { Pgbench } from './pgbench.ts';
import { prepare } from './prepare-round.ts';
import { restSilentReceiver } from './rest-silent-receiver.ts';
import type { Stand } from './stand.ts';
import { sumOf, verifyRound } from './verify-round.ts';
import { warmUp, warmUpsFor } from './warm-up.ts';

export type RoundOptions = {
  readonly stand: Stand;
  readonly pgbench: Pgbench;
  readonly figures: readonly Figure[];
  readonly plan: Plan;
};

/** Control, every figure, control; then the books are held against what was acknowledged. */
export async function runRound({ stand, pgbench, figures, plan }: RoundOptions): Promise<Round> {
  const files = await prepare(
    stand,
    figures.flatMap((figure) => [
      ...warmUpsFor(figure),
      { ...figure, count: figure.preparedPerSecond * plan.figureSeconds },
    ]),
  );
  const before = await pgbench.run(plan.controlSeconds);
  const warm: Measured[] = [];
  const measured: Measured[] = [];
  for (const figure of figures) {
    const found = await measureAlone(stand, figure, files, plan);
    warm.push(...found.warm);
    measured.push(found.measured);
  }
  const after = await pgbench.run(plan.controlSeconds);
  return {
    controls: { before, after },
    figures: measured,
    faults: await verifyRound(stand, sumOf([...warm, ...measured])),
  };
}

/**
 * A figure has a gateway of its own, so that it is the same whatever else is measured, and nothing of the one before
 * goes on beside it.
 */
async function measureAlone(
  stand: Stand,
  work: Work,
  files: ReadonlyMap<string, string>,
  { figureSeconds }: Plan,
): Promise<{ warm: Measured[]; measured: Measured }> {
  if (work.kind === 'settle' && work.receiver === 'prompt') await restSilentReceiver(stand);
  const gateway = await stand.startGateway();
  const warm = await warmUp(stand, gateway, work, files);
  const measured = await measureFigure(stand, gateway, work, fileOf(files, work.name), figureSeconds);
  await gateway.stop();
  return { warm, measured };
}
