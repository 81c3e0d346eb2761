import type { Figure, Work } from './figures.ts';
import { fileOf } from './file-of.ts';
import type { Controls, MeasuredBeside, Round } from './judge-round.ts';
import { type Measured, measureFigure } from './measure-figure.ts';
import type { ReceivingPlan } from './options.ts';
import type { Pgbench } from './pgbench.ts';
import { prepare, type WantedWork } from './prepare-round.ts';
import { restSilentReceiver } from './rest-silent-receiver.ts';
import type { Stand } from './stand.ts';
import { sumOf, verifyRound } from './verify-round.ts';
import { warmUp, warmUpsFor } from './warm-up.ts';

export type RoundOptions = {
  readonly stand: Stand;
  /** Without pgbench, which only a small form allows, every slice of the control is 1. */
  readonly pgbench: Pick<Pgbench, 'run'> | undefined;
  readonly figures: readonly Figure[];
  readonly plan: ReceivingPlan;
};

/** Measures the figures of a round, each between controls, then compares the books with what was acknowledged. */
export async function runRound(options: RoundOptions): Promise<Round> {
  const { stand, figures, plan } = options;
  const files = await prepare(
    stand,
    plan.merchants,
    figures.flatMap((figure) => [...warmUpsFor(figure, plan), wantedFor(figure, plan)]),
  );
  const warm: Measured[] = [];
  const measured = await measureBeside(options, async (figure) => {
    const found = await measureAlone(stand, figure, files, plan);
    warm.push(...found.warm);
    return found.measured;
  });
  return {
    figures: measured,
    faults: await verifyRound(stand, sumOf([...warm, ...measured])),
  };
}

/** The number in the plan, in whole notifications, or else more than fit in the time. */
export function wantedFor(figure: Figure, { calls, figureSeconds }: ReceivingPlan): WantedWork {
  const least = figure.kind === 'settle' ? figure.perNotice : 1;
  const count = calls === undefined ? figure.preparedPerSecond * figureSeconds : Math.max(calls, least);
  return { ...figure, count };
}

/** Runs a slice of the control before, between and after the figures. */
export async function measureBeside(
  { pgbench, figures, plan }: Omit<RoundOptions, 'stand'>,
  measure: (figure: Figure) => Promise<Measured>,
): Promise<MeasuredBeside[]> {
  const measured: MeasuredBeside[] = [];
  const control = async () => (await pgbench?.run(plan.control)) ?? 1;
  let before = await control();
  for (const figure of figures) {
    const found = await measure(figure);
    const controls: Controls = { before, after: await control() };
    measured.push({ ...found, controls });
    before = controls.after;
  }
  return measured;
}

/**
 * Each figure has its own gateway, so that it does not depend on the other figures or on work they left behind.
 */
async function measureAlone(
  stand: Stand,
  work: Work,
  files: ReadonlyMap<string, string>,
  plan: ReceivingPlan,
): Promise<{ warm: Measured[]; measured: Measured }> {
  if (work.kind === 'settle' && work.receiver === 'prompt') await restSilentReceiver(stand);
  const gateway = await stand.startGateway();
  const warm = await warmUp(stand, gateway, work, files, plan);
  const measured = await measureFigure(stand, gateway, work, fileOf(files, work.name), plan.figureSeconds);
  await gateway.stop();
  return { warm, measured };
}
