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

const TOP_SPACE_PX = 8;
/** The height of the dates below the baseline. */
const DATES_PX = 26;
/** The width of a character: enough for a digit and most letters of the axis at 12 px. */
const CHARACTER_PX = 6.75;
const LABEL_GAP_PX = 12;

/** The full height of a chart: space above the highest value, the plot, and the dates below the baseline. */
export function chartHeight(plotHeight: number): number {
  return TOP_SPACE_PX + plotHeight + DATES_PX;
}

/** The plot area in a chart of this width, beside amount labels of this many characters. */
export function plotWithin(width: number, plotHeight: number, labelLength: number): Plot {
  const bottom = TOP_SPACE_PX + plotHeight;
  const left = Math.ceil(labelLength * CHARACTER_PX) + LABEL_GAP_PX;
  return {
    width,
    left,
    right: Math.max(width - 1, left + 1),
    top: TOP_SPACE_PX,
    bottom,
    height: bottom + DATES_PX,
  };
}

/** Formats an amount on the axis; the label at the top may include the unit. */
export type AmountLabel = (amount: number, isTop: boolean) => string;

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
export function amountAxis(amounts: readonly number[], lines: number, formatLabel: AmountLabel): AmountAxis {
  const highest = Math.max(0, ...amounts);
  const ticks = highest === 0 ? [0] : scaleLinear().domain([0, highest]).ticks(lines);
  const step = (ticks[1] ?? highest) - (ticks[0] ?? 0);
  const lastTick = ticks.at(-1) ?? 0;
  // If the highest value ends far above the last line, the chart would look cut off, so a line is added.
  if (highest - lastTick > step / 2) ticks.push(lastTick + step);
  const labels = ticks.map((tick, index) => formatLabel(tick, index === ticks.length - 1));
  return {
    ticks,
    labels,
    top: Math.max(highest, ticks.at(-1) ?? 0),
    labelLength: Math.max(...labels.map(({ length }) => length)),
  };
}

/** Returns the function that maps an amount to its y position in the plot. */
export function yScale({ top }: AmountAxis, plot: Plot): (amount: number) => number {
  if (top === 0) return () => plot.bottom;
  const scale = scaleLinear().domain([0, top]).range([plot.bottom, plot.top]);
  return (amount) => scale(amount);
}

/**
 * The indexes of the days that get a date label, newest first: today, then every seventh day (up to a week, every
 * day), and further apart where labels would touch.
 */
export function dateTicks(days: number, plot: Plot, minGapPx = 44): number[] {
  const dayWidth = (plot.right - plot.left) / Math.max(days, 1);
  const baseDays = days <= 7 ? 1 : 7;
  const stepDays = baseDays * Math.max(1, Math.ceil(minGapPx / (dayWidth * baseDays)));
  return Array.from({ length: Math.ceil(days / stepDays) }, (_, index) => days - 1 - index * stepDays);
}
