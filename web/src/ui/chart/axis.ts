import { ticks as roundAmounts } from 'd3-array';

/** The positions in a chart, in px of the screen. The chart is drawn unscaled, so its text keeps its font size. */
export type Plot = {
  width: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
  height: number;
};

/** Above the highest value, so that the label of the top gridline is not cut off. */
const TOP_SPACE_PX = 8;
/** The height of the dates below the baseline. */
const DATES_PX = 26;
/** An estimate of the width of a character at 12 px, large enough for digits and most letters of the labels. */
const CHARACTER_PX = 6.75;
/** Between the amount labels and the plot. */
const LABEL_GAP_PX = 12;

/** The full height of a chart: the space above the highest value, the plot, and the dates below the baseline. */
export function chartHeight(plotHeight: number): number {
  return TOP_SPACE_PX + plotHeight + DATES_PX;
}

/** The plot in a chart of this width, to the right of amount labels of at most this many characters. */
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

/** Formats an amount as a label of the axis. Only the label at the top may include the unit. */
export type AmountLabel = (amount: number, isTop: boolean) => string;

export type AmountAxis = {
  /** The values of the gridlines, from the baseline up. */
  ticks: readonly number[];
  /** The label of each gridline, in the same order. */
  labels: readonly string[];
  /** The amount at the top of the plot: the amount of the last gridline, or the highest value if that is greater. */
  topAmount: number;
  /** The length of the longest label, in characters. */
  labelLength: number;
};

/** An axis from zero with round amounts, and about `lineCount` gridlines above the baseline. */
export function amountAxis(
  amounts: readonly number[],
  lineCount: number,
  formatLabel: AmountLabel,
): AmountAxis {
  const highest = Math.max(0, ...amounts);
  const ticks = highest === 0 ? [0] : roundAmounts(0, highest, lineCount);
  const step = (ticks[1] ?? highest) - (ticks[0] ?? 0);
  const lastTick = ticks.at(-1) ?? 0;
  // If the highest value lies far above the last gridline, the chart would look cut off, so a gridline is added.
  if (highest - lastTick > step / 2) ticks.push(lastTick + step);
  const labels = ticks.map((tick, index) => formatLabel(tick, index === ticks.length - 1));
  return {
    ticks,
    labels,
    topAmount: Math.max(highest, ticks.at(-1) ?? 0),
    labelLength: Math.max(...labels.map(({ length }) => length)),
  };
}

/** Returns the function that maps an amount to its y position in the plot. */
export function yScale({ topAmount }: AmountAxis, plot: Plot): (amount: number) => number {
  if (topAmount === 0) return () => plot.bottom;
  return (amount) => plot.bottom + (amount / topAmount) * (plot.top - plot.bottom);
}

/**
 * The indexes of the days that get a date label, newest first: today, and every seventh day before it. A chart of at
 * most a week labels every day. Where two labels would be less than `minGapPx` apart, fewer days get a label.
 */
export function dateTicks(dayCount: number, plot: Plot, minGapPx = 44): number[] {
  const dayWidth = (plot.right - plot.left) / Math.max(dayCount, 1);
  const baseDays = dayCount <= 7 ? 1 : 7;
  const stepDays = baseDays * Math.max(1, Math.ceil(minGapPx / (dayWidth * baseDays)));
  return Array.from(
    { length: Math.ceil(dayCount / stepDays) },
    (_, index) => dayCount - 1 - index * stepDays,
  );
}
