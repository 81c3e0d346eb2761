/** The middle of several runs, and how far apart they lay. */
export type Spread = { readonly median: number; readonly lowest: number; readonly highest: number };

/** An even number of runs has two middles: the lower one counts, as it was measured. @throws RangeError without runs */
export function spreadOf(measured: readonly number[]): Spread {
  const sorted = [...measured].sort((a, b) => a - b);
  const [lowest, median, highest] = [sorted[0], sorted[(sorted.length - 1) >> 1], sorted.at(-1)];
  if (lowest === undefined || median === undefined || highest === undefined) throw new RangeError('no runs');
  return { median, lowest, highest };
}
