/** Random choices that follow from a seed, so that a run can be repeated. */
export type Random = {
  /** An integer from `least` to `most`. */
  between(least: number, most: number): number;
  /** True in `percent` of 100 cases. */
  chance(percent: number): boolean;
  /** One of the items; undefined if there are none. */
  pick<T>(from: readonly T[]): T | undefined;
};

/** The generator is mulberry32, which is in the public domain. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    between,
    chance: (percent) => next() * 100 < percent,
    pick: (from) => from[between(0, from.length - 1)],
  };
}
