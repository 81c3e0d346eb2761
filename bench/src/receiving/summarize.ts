import { type Spread, spreadOf } from '../statistics.ts';
import type { Figure } from './figures.ts';
import { type MeasuredWithControls, meanOf, type Round, validMeasurementsOf } from './judge-round.ts';
import type { Measured, ProcessName } from './measure-figure.ts';

/** One figure over all its valid measurements. Each spread is the median with the lowest and the highest value. */
export type Summary = {
  readonly name: string;
  readonly label: string;
  readonly perSecond: Spread;
  /** The number of valid measurements. */
  readonly counted: number;
  /** `perSecond` divided by the mean of the controls (pgbench) right before and after the figure. */
  readonly ratio: Spread;
  /** The lowest ratio that is good enough; undefined if there is no goal. */
  readonly target: number | undefined;
  readonly answerP50Ms: Spread | undefined;
  readonly answerP99Ms: Spread | undefined;
  readonly processorMsPerThousand: Readonly<Record<ProcessName, number>>;
  readonly webhooksPerSecond: Spread | undefined;
};

/** Summarizes each figure. Figures without a valid measurement are left out. */
export function summarize(figures: readonly Figure[], rounds: readonly Round[]): Summary[] {
  return figures.flatMap((figure) => {
    const measurements = validMeasurementsOf(figure.name, rounds);
    return measurements.length === 0 ? [] : [summaryOf(figure, measurements)];
  });
}

function summaryOf({ name, label, target }: Figure, measurements: readonly MeasuredWithControls[]): Summary {
  const cost = (process: ProcessName) =>
    spreadOf(measurements.map(({ processorMsPerThousand }) => processorMsPerThousand[process])).median;
  const spread = (readValue: (measurement: Measured) => number | undefined) => {
    const values = measurements.flatMap((measurement) => readValue(measurement) ?? []);
    return values.length === 0 ? undefined : spreadOf(values);
  };
  return {
    name,
    label,
    counted: measurements.length,
    perSecond: spreadOf(measurements.map(({ perSecond }) => perSecond)),
    ratio: spreadOf(measurements.map(({ perSecond, controls }) => perSecond / meanOf(controls))),
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
