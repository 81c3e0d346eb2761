import { scaleLinear } from 'd3-scale';

/** Where a chart draws: text stands at its measured size, so nothing scales and `width` is the real one in px. */
export type Plot = {
  width: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
  height: number;
};

/** The plot inside a chart of a measured width. `bottom` is the baseline; the dates stand under it. */
export function plotWithin(width: number, plotHeight: number): Plot {
  const top = 8;
  const bottom = top + plotHeight;
  return { width, left: 60, right: Math.max(width - 1, 61), top, bottom, height: bottom + 26 };
}

export type AmountAxis = {
  /** Values of the hairlines, the baseline first. */
  ticks: readonly number[];
  /** From an amount to its height in the plot. */
  y: (amount: number) => number;
};

/** An axis from zero over round amounts. Its top is the highest value where that passes the last round one. */
export function amountAxis(amounts: readonly number[], plot: Plot, lines: number): AmountAxis {
  const highest = Math.max(0, ...amounts);
  if (highest === 0) return { ticks: [0], y: () => plot.bottom };
  const scale = scaleLinear().domain([0, highest]).range([plot.bottom, plot.top]);
  const ticks = scale.ticks(lines);
  const step = (ticks[1] ?? highest) - (ticks[0] ?? 0);
  const last = ticks.at(-1) ?? highest;
  // A chart whose highest value ends far above its last line looks cut off: one more line.
  if (highest - last > step / 2) ticks.push(last + step);
  scale.domain([0, Math.max(highest, ticks.at(-1) ?? highest)]);
  return { ticks, y: (amount) => scale(amount) };
}

/** Which days carry a date, newest first: today, then every week; further apart where they would touch. */
export function dateTicks(days: number, plot: Plot, leastGap = 44): number[] {
  const perDay = (plot.right - plot.left) / Math.max(days, 1);
  const base = days <= 7 ? 1 : 7;
  const step = base * Math.max(1, Math.ceil(leastGap / (perDay * base)));
  return Array.from({ length: Math.ceil(days / step) }, (_, at) => days - 1 - at * step);
}
