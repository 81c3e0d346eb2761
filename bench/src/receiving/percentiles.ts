/** Of latencies in milliseconds. */
export type Percentiles = { readonly p50: number; readonly p99: number; readonly highest: number };

/** By nearest rank: a value that was measured. Of nothing, zeros. */
export function percentilesOf(values: readonly number[]): Percentiles {
  const sorted = Float64Array.from(values).sort();
  const rank = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
  return { p50: rank(0.5), p99: rank(0.99), highest: rank(1) };
}
