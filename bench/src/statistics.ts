/** The median of the values of several runs, with the lowest and the highest value. */
export type Spread = { readonly median: number; readonly lowest: number; readonly highest: number };

/**
 * Returns the spread of measured values. If their number is even, the median is the lower of the two in the middle, so
 * that the median is always a measured value.
 * @throws RangeError without runs
 */
export function spreadOf(measured: readonly number[]): Spread {
  const sorted = [...measured].sort((a, b) => a - b);
  const [lowest, median, highest] = [sorted[0], sorted[(sorted.length - 1) >> 1], sorted.at(-1)];
  if (lowest === undefined || median === undefined || highest === undefined) throw new RangeError('no runs');
  return { median, lowest, highest };
}

/** Percentiles of latencies in milliseconds. */
export type Percentiles = { readonly p50: number; readonly p99: number; readonly highest: number };

export function percentilesOf(values: readonly number[] | Float64Array): Percentiles {
  return {
    p50: percentileOf(values, 0.5),
    p99: percentileOf(values, 0.99),
    highest: percentileOf(values, 1),
  };
}

/**
 * Returns the percentile of a share from 0 to 1, by nearest rank, so that the percentile is a measured value; 0 if
 * there are no values.
 */
export function percentileOf(values: readonly number[] | Float64Array, share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

/** Prints a figure as a whole number. */
export const formatWhole = (value: number) => Math.round(value).toLocaleString('en-US');
/** Prints a figure with at most one decimal. */
export const formatTenths = (value: number) => (Math.round(value * 10) / 10).toLocaleString('en-US');
