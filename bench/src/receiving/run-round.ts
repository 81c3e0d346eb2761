import type { Figure, Work } from './figures.ts';
import type { Controls, MeasuredWithControls, Round } from './judge-round.ts';
import { type Measured, measureFigure } from './measure-figure.ts';
import type { ReceivingPlan } from './options.ts';
import type { Pgbench } from './pgbench.ts';
import { type PlannedWork, preparedFileOf, prepareRound } from './prepare-round.ts';
import type { TestRig } from './test-rig.ts';
import { countAcknowledged, verifyRound } from './verify-round.ts';
import { openSilentReceiverBreaker, warmUp, warmUpsFor } from './warm-up.ts';

export type RoundOptions = {
  readonly rig: TestRig;
  /**
   * pgbench, the control with which figures are compared. Only small forms may run without it; then each control is 1.
   */
  readonly pgbench: Pick<Pgbench, 'run'> | undefined;
  readonly figures: readonly Figure[];
  readonly plan: ReceivingPlan;
};

/** Measures the figures of a round, each between controls, then compares the books with what was acknowledged. */
export async function runRound(options: RoundOptions): Promise<Round> {
  const { rig, figures, plan } = options;
  const files = await prepareRound(
    rig,
    plan.merchants,
    figures.flatMap((figure) => [...warmUpsFor(figure, plan), plannedWorkOf(figure, plan)]),
  );
  const warmUpResults: Measured[] = [];
  const measured = await measureBetweenControls(options, async (figure) => {
    const result = await measureOnNewGateway(rig, figure, files, plan);
    warmUpResults.push(...result.warmUpResults);
    return result.measured;
  });
  return {
    figures: measured,
    faults: await verifyRound(rig, countAcknowledged([...warmUpResults, ...measured])),
  };
}

/**
 * Returns the work to prepare for a figure: as many payments or charges as the plan says, but at least one
 * notification. If the plan says nothing, the work is more than can be processed in the time.
 */
export function plannedWorkOf(figure: Figure, { calls, figureSeconds }: ReceivingPlan): PlannedWork {
  const minimum = figure.kind === 'settle' ? figure.paymentsPerNotification : 1;
  const count = calls === undefined ? figure.preparedPerSecond * figureSeconds : Math.max(calls, minimum);
  return { ...figure, count };
}

/** Measures the figures, and runs the control (pgbench) before, between and after them. */
export async function measureBetweenControls(
  { pgbench, figures, plan }: Omit<RoundOptions, 'rig'>,
  measure: (figure: Figure) => Promise<Measured>,
): Promise<MeasuredWithControls[]> {
  const measured: MeasuredWithControls[] = [];
  const runControl = async () => (await pgbench?.run(plan.control)) ?? 1;
  let before = await runControl();
  for (const figure of figures) {
    const measurement = await measure(figure);
    const controls: Controls = { before, after: await runControl() };
    measured.push({ ...measurement, controls });
    before = controls.after;
  }
  return measured;
}

/**
 * Measures a figure on a gateway of its own, so that the figure does not depend on the other figures or on their
 * unfinished work.
 */
async function measureOnNewGateway(
  rig: TestRig,
  work: Work,
  files: ReadonlyMap<string, string>,
  plan: ReceivingPlan,
): Promise<{ warmUpResults: Measured[]; measured: Measured }> {
  if (work.kind === 'settle' && work.receiver === 'prompt') await openSilentReceiverBreaker(rig);
  const gateway = await rig.startGateway();
  const warmUpResults = await warmUp(rig, gateway, work, files, plan);
  const measured = await measureFigure(
    rig,
    gateway,
    work,
    preparedFileOf(files, work.name),
    plan.figureSeconds,
  );
  await gateway.stop();
  return { warmUpResults, measured };
}
