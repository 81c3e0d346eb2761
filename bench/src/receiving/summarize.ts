import { type Spread, spreadOf } from '../statistics.ts';
import type { Figure } from './figures.ts';
import { countingOf, type MeasuredBeside, meanOf, type Round } from './judge-round.ts';
import type { Measured, ProcessName } from './measure-figure.ts';

/** One figure over its valid measurements. */
export type Summary = {
  readonly name: string;
  readonly label: string;
  readonly perSecond: Spread;
  /** The number of valid measurements. */
  readonly counted: number;
  /** Relative to the mean of the controls right before and after it. */
  readonly ratio: Spread;
  readonly target: number | undefined;
  readonly answerP50Ms: Spread | undefined;
  readonly answerP99Ms: Spread | undefined;
  readonly processorMsPerThousand: Readonly<Record<ProcessName, number>>;
  readonly webhooksPerSecond: Spread | undefined;
};

/** Medians over the valid measurements; figures without any are left out. */
export function summarize(figures: readonly Figure[], rounds: readonly Round[]): Summary[] {
  return figures.flatMap((figure) => {
    const found = countingOf(figure.name, rounds);
    return found.length === 0 ? [] : [summaryOf(figure, found)];
  });
}

function summaryOf({ name, label, target }: Figure, found: readonly MeasuredBeside[]): Summary {
  const cost = (process: ProcessName) =>
    spreadOf(found.map((one) => one.processorMsPerThousand[process])).median;
  const spread = (read: (one: Measured) => number | undefined) => {
    const values = found.flatMap((one) => read(one) ?? []);
    return values.length === 0 ? undefined : spreadOf(values);
  };
  return {
    name,
    label,
    counted: found.length,
    perSecond: spreadOf(found.map(({ perSecond }) => perSecond)),
    ratio: spreadOf(found.map(({ perSecond, controls }) => perSecond / meanOf(controls))),
    target,
    answerP50Ms: spread(({ latencyMs }) => latencyMs?.p50),
    answerP99Ms: spread(({ latencyMs }) => latencyMs?.p99),
    processorMsPerThousand: {
      gateway: cost('gateway'),
      postgres: cost('postgres'),
      bank: cost('bank'),
      load: cost('load'),
    },
    webhooksPerSecond: spread(({ webhooksPerSecond }) => webhooksPerSecond),
  };
}
