import type { Measured } from './measure-figure.ts';

/** pgbench before and after what was measured, in transactions a second. */
export type Controls = { readonly before: number; readonly after: number };

export type Round = {
  readonly controls: Controls;
  readonly figures: readonly Measured[];
  /** What the books and the counts said against it at the end. */
  readonly faults: readonly string[];
};

const mostDifference = 0.25;

export function meanOf({ before, after }: Controls): number {
  return (before + after) / 2;
}

/** Why a round counts for nothing; empty: it counts. */
export function reasonsAgainst({ controls, figures, faults }: Round): string[] {
  const difference = differenceOf(controls);
  return [
    ...(difference > mostDifference
      ? [`the controls differ by ${Math.round(difference * 100)} % (more than ${mostDifference * 100} %)`]
      : []),
    ...figures.flatMap((figure) => figure.faults.map((fault) => `${figure.name}: ${fault}`)),
    ...faults,
  ];
}

/** How far the higher lies above the lower, as a share of the lower. */
function differenceOf({ before, after }: Controls): number {
  const lower = Math.min(before, after);
  return lower > 0 ? Math.max(before, after) / lower - 1 : Number.POSITIVE_INFINITY;
}
