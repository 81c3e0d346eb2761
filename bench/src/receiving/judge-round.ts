import type { Measured } from './measure-figure.ts';

/**
 * The control of a measurement: the runs of pgbench right before and right after it, in transactions per second. The
 * run after one measurement is also the run before the next.
 */
export type Controls = { readonly before: number; readonly after: number };

/** A measurement, which is the result of one figure in one round, with its controls. */
export type MeasuredWithControls = Measured & { readonly controls: Controls };

/** The measurements of one round. */
export type Round = {
  /** One measurement of each figure, in the order in which they were made. */
  readonly figures: readonly MeasuredWithControls[];
  /** Faults found at the end: differences in the books, or more or fewer stored payments than were acknowledged. */
  readonly faults: readonly string[];
};

/** The controls around a measurement may differ by at most this share of the lower one. */
const maxControlDifference = 0.25;

export function meanOf({ before, after }: Controls): number {
  return (before + after) / 2;
}

/** Returns the reasons why a round and all its measurements are void; empty if the round is valid. */
export function voidingReasons({ figures, faults }: Round): string[] {
  return [
    ...figures.flatMap(({ name, faults: ownFaults }) => ownFaults.map((fault) => `${name}: ${fault}`)),
    ...faults,
  ];
}

/**
 * Whether the machine was about equally fast before and after a measurement. Otherwise this measurement does not count,
 * but the other measurements of the round may.
 */
export function hasStableControls({ controls }: Pick<MeasuredWithControls, 'controls'>): boolean {
  return differenceOf(controls) <= maxControlDifference;
}

/** Returns the valid measurements of a figure: those in rounds without faults, and between controls that agree. */
export function validMeasurementsOf(name: string, rounds: readonly Round[]): MeasuredWithControls[] {
  return rounds
    .filter((round) => voidingReasons(round).length === 0)
    .flatMap(({ figures }) =>
      figures.filter((measurement) => measurement.name === name && hasStableControls(measurement)),
    );
}

/**
 * Divides each run of pgbench by the mean of the runs before and after it, as a measurement is divided by its controls.
 * On a steady machine every ratio is 1, so their distance from 1 is the noise that the machine alone adds to a figure's
 * ratio.
 */
export function controlRatios(rounds: readonly Round[]): number[] {
  return rounds.flatMap(({ figures }) => {
    const firstMeasurement = figures[0];
    if (firstMeasurement === undefined) return [];
    const runs = [firstMeasurement.controls.before, ...figures.map(({ controls }) => controls.after)];
    // The first and the last run have a neighbour on one side only, so they have no ratio.
    return runs.slice(1, -1).map((run, index) => {
      const [before = 0, after = 0] = [runs[index], runs[index + 2]];
      return run / meanOf({ before, after });
    });
  });
}

/** Returns the difference of the two controls, relative to the lower one. */
function differenceOf({ before, after }: Controls): number {
  const lower = Math.min(before, after);
  return lower > 0 ? Math.max(before, after) / lower - 1 : Number.POSITIVE_INFINITY;
}
