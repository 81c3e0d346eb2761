import type { Measured } from './measure-figure.ts';

/** The control of a measurement: pgbench right before and right after it, in transactions per second. */
export type Controls = { readonly before: number; readonly after: number };

export type MeasuredWithControls = Measured & { readonly controls: Controls };

/** The measurements of one round. */
export type Round = {
  readonly figures: readonly MeasuredWithControls[];
  /** Faults found in the books and counts at the end. */
  readonly faults: readonly string[];
};

/** The controls around a figure may differ by at most this share of the lower one. */
const maxControlDifference = 0.25;

export function meanOf({ before, after }: Controls): number {
  return (before + after) / 2;
}

/** Returns the reasons why a round is void with all its figures; empty if the round is valid. */
export function voidingReasons({ figures, faults }: Round): string[] {
  return [
    ...figures.flatMap((figure) => figure.faults.map((fault) => `${figure.name}: ${fault}`)),
    ...faults,
  ];
}

/**
 * Whether the machine was about equally fast before and after a figure. If it was not, this figure does not count, but the
 * others of its round may.
 */
export function hasStableControls({ controls }: Pick<MeasuredWithControls, 'controls'>): boolean {
  return differenceOf(controls) <= maxControlDifference;
}

/** Returns the valid measurements of a figure: those in rounds without faults, and between controls that agree. */
export function validMeasurementsOf(name: string, rounds: readonly Round[]): MeasuredWithControls[] {
  return rounds
    .filter((round) => voidingReasons(round).length === 0)
    .flatMap(({ figures }) => figures.filter((figure) => figure.name === name && hasStableControls(figure)));
}

/**
 * Judges the control like a figure: returns each slice of the control divided by the mean of the slices before and after it.
 * The distance of these ratios from 1 is the noise that the machine alone adds to the ratio of a figure.
 */
export function controlRatios(rounds: readonly Round[]): number[] {
  return rounds.flatMap(({ figures }) => {
    const firstFigure = figures[0];
    if (firstFigure === undefined) return [];
    const slices = [firstFigure.controls.before, ...figures.map(({ controls }) => controls.after)];
    return slices.slice(1, -1).map((slice, index) => {
      const [before = 0, after = 0] = [slices[index], slices[index + 2]];
      return slice / meanOf({ before, after });
    });
  });
}

/** Returns the difference of the two controls, relative to the lower one. */
function differenceOf({ before, after }: Controls): number {
  const lower = Math.min(before, after);
  return lower > 0 ? Math.max(before, after) / lower - 1 : Number.POSITIVE_INFINITY;
}
