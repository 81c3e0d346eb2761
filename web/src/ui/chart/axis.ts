import { scaleLinear } from 'd3-scale';

/** A chart's drawing area in real px: nothing scales, so text keeps its measured size. */
export type Plot = {
  width: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
  height: number;
};

const TOP = 8;
const UNDER = 26;
/** Px per character: wide enough for a digit and most letters of the axis at 12 px. */
const CHARACTER = 6.75;
const LABEL_GAP = 12;

/** The full height of a chart: space above the highest value, the plot, and the dates below the baseline. */
export function chartHeight(plotHeight: number): number {
  return TOP + plotHeight + UNDER;
}

/** The plot area in a chart of this width, beside amount labels of this many characters. */
export function plotWithin(width: number, plotHeight: number, labelLength: number): Plot {
  const bottom = TOP + plotHeight;
  const left = Math.ceil(labelLength * CHARACTER) + LABEL_GAP;
  return { width, left, right: Math.max(width - 1, left + 1), top: TOP, bottom, height: bottom + UNDER };
}

/** Formats an amount on the axis; the top one may carry the unit. */
export type AmountLabel = (amount: number, top: boolean) => string;

export type AmountAxis = {
  /** The values of the gridlines, from the baseline up. */
  ticks: readonly number[];
  labels: readonly string[];
  /** The amount at the top of the plot: the last gridline, or the highest value if that is greater. */
  top: number;
  /** The length of the longest label, in characters. */
  labelLength: number;
};

/** An axis from zero with round amounts, and about `lines` gridlines above the baseline. */
export function amountAxis(amounts: readonly number[], lines: number, label: AmountLabel): AmountAxis {
  const highest = Math.max(0, ...amounts);
  const ticks = highest === 0 ? [0] : scaleLinear().domain([0, highest]).ticks(lines);
  const step = (ticks[1] ?? highest) - (ticks[0] ?? 0);
  const last = ticks.at(-1) ?? 0;
  // If the highest value ends far above the last line, the chart looks cut off: add a line.
  if (highest - last > step / 2) ticks.push(last + step);
  const labels = ticks.map((tick, at) => label(tick, at === ticks.length - 1));
  return {
    ticks,
    labels,
    top: Math.max(highest, ticks.at(-1) ?? 0),
    labelLength: Math.max(...labels.map(({ length }) => length)),
  };
}

/** Maps an amount to its y position in the plot. */
export function heightOf({ top }: AmountAxis, plot: Plot): (amount: number) => number {
  if (top === 0) return () => plot.bottom;
  const scale = scaleLinear().domain([0, top]).range([plot.bottom, plot.top]);
  return (amount) => scale(amount);
}

/** The days that carry a date, newest first: today, then every week; further apart where labels would touch. */
export function dateTicks(days: number, plot: Plot, leastGap = 44): number[] {
  const perDay = (plot.right - plot.left) / Math.max(days, 1);
  const base = days <= 7 ? 1 : 7;
  const step = base * Math.max(1, Math.ceil(leastGap / (perDay * base)));
  return Array.from({ length: Math.ceil(days / step) }, (_, at) => days - 1 - at * step);
}
