import type { Measured } from './measure-figure.ts';

/** pgbench right before and after a measurement, in transactions per second. */
export type Controls = { readonly before: number; readonly after: number };

export type MeasuredBeside = Measured & { readonly controls: Controls };

export type Round = {
  readonly figures: readonly MeasuredBeside[];
  /** Faults found in the books and counts at the end. */
  readonly faults: readonly string[];
};

const mostDifference = 0.25;

export function meanOf({ before, after }: Controls): number {
  return (before + after) / 2;
}

/** The reasons why a round is void, with all its figures; empty if it is valid. */
export function reasonsAgainst({ figures, faults }: Round): string[] {
  return [
    ...figures.flatMap((figure) => figure.faults.map((fault) => `${figure.name}: ${fault}`)),
    ...faults,
  ];
}

/** Whether the machine was quiet during a figure: noise between two figures voids neither of them. */
export function heldStill({ controls }: Pick<MeasuredBeside, 'controls'>): boolean {
  return differenceOf(controls) <= mostDifference;
}

/** The valid measurements of a figure: from rounds without faults, between controls that agree. */
export function countingOf(name: string, rounds: readonly Round[]): MeasuredBeside[] {
  return rounds
    .filter((round) => reasonsAgainst(round).length === 0)
    .flatMap(({ figures }) => figures.filter((figure) => figure.name === name && heldStill(figure)));
}

/**
 * The control measured like a figure: each slice relative to the mean of its neighbours. Their distance from 1 is the
 * noise that the machine alone adds to a ratio.
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

/** The difference of two values, relative to the lower one. */
function differenceOf({ before, after }: Controls): number {
  const lower = Math.min(before, after);
  return lower > 0 ? Math.max(before, after) / lower - 1 : Number.POSITIVE_INFINITY;
}
