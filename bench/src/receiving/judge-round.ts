import type { Measured } from './measure-figure.ts';

/** The control of a measurement: pgbench right before and right after it, in transactions per second. */
export type Controls = { readonly before: number; readonly after: number };

export type MeasuredWithControls = Measured & { readonly controls: Controls };

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

/** The reasons why a round is void, with all its figures; empty if it is valid. */
export function voidingReasons({ figures, faults }: Round): string[] {
  return [
    ...figures.flatMap((figure) => figure.faults.map((fault) => `${figure.name}: ${fault}`)),
    ...faults,
  ];
}

/**
 * Whether the machine was equally fast before and after a figure. If it was not, only this figure does not
 * count.
 */
export function hasStableControls({ controls }: Pick<MeasuredWithControls, 'controls'>): boolean {
  return differenceOf(controls) <= maxControlDifference;
}

/** The valid measurements of a figure: those in rounds without faults, between controls that agree. */
export function validMeasurementsOf(name: string, rounds: readonly Round[]): MeasuredWithControls[] {
  return rounds
    .filter((round) => voidingReasons(round).length === 0)
    .flatMap(({ figures }) => figures.filter((figure) => figure.name === name && hasStableControls(figure)));
}

/**
 * The control measured like a figure: each slice of it divided by the mean of the slices before and after it.
 * The distance of these ratios from 1 is the noise that the machine alone adds to a ratio.
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

/** The difference of both controls, relative to the lower one. */
function differenceOf({ before, after }: Controls): number {
  const lower = Math.min(before, after);
  return lower > 0 ? Math.max(before, after) / lower - 1 : Number.POSITIVE_INFINITY;
}
