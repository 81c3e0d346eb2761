import type { Measured } from './measure-figure.ts';

/** pgbench right before and right after what was measured, in transactions a second. */
export type Controls = { readonly before: number; readonly after: number };

export type MeasuredBeside = Measured & { readonly controls: Controls };

export type Round = {
  readonly figures: readonly MeasuredBeside[];
  /** What the books and the counts said against it at the end. */
  readonly faults: readonly string[];
};

const mostDifference = 0.25;

export function meanOf({ before, after }: Controls): number {
  return (before + after) / 2;
}

/** Why a round counts for nothing, none of its figures; empty: it counts. */
export function reasonsAgainst({ figures, faults }: Round): string[] {
  return [
    ...figures.flatMap((figure) => figure.faults.map((fault) => `${figure.name}: ${fault}`)),
    ...faults,
  ];
}

/** Whether the machine held still while a figure was measured: noise between two figures costs neither of them. */
export function heldStill({ controls }: Pick<MeasuredBeside, 'controls'>): boolean {
  return differenceOf(controls) <= mostDifference;
}

/** What counts of a figure: measured in rounds without a fault, between controls that agree. */
export function countingOf(name: string, rounds: readonly Round[]): MeasuredBeside[] {
  return rounds
    .filter((round) => reasonsAgainst(round).length === 0)
    .flatMap(({ figures }) => figures.filter((figure) => figure.name === name && heldStill(figure)));
}

/**
 * The control measured as if it were a figure: each slice by the mean of the slices around it. How far these lie from 1
 * is what the machine alone does to a ratio.
 */
export function controlRatios(rounds: readonly Round[]): number[] {
  return rounds.flatMap(({ figures }) => {
    const first = figures[0];
    const slices =
      first === undefined ? [] : [first.controls.before, ...figures.map(({ controls }) => controls.after)];
    return slices.slice(1, -1).map((slice, at) => {
      const [before = 0, after = 0] = [slices[at], slices[at + 2]];
      return slice / meanOf({ before, after });
    });
  });
}

/** How far the higher lies above the lower, as a share of the lower. */
function differenceOf({ before, after }: Controls): number {
  const lower = Math.min(before, after);
  return lower > 0 ? Math.max(before, after) / lower - 1 : Number.POSITIVE_INFINITY;
}
