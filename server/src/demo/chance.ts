/** Pseudo-random choices for the demo's history, identical at every first start. */
export type Chance = {
  /** An integer from 0 (inclusive) to `end` (exclusive). */
  integerBelow(end: number): number;
  /** One of the values. */
  pick<T>(values: readonly [T, ...T[]] | readonly T[]): T;
};

/** Mulberry32: fast, and uniform enough for a shop's customers. */
export function seededChance(seed: number): Chance {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integerBelow = (end: number) => Math.floor(next() * end);
  return {
    integerBelow,
    pick(values) {
      const value = values[integerBelow(values.length)];
      if (value === undefined) throw new Error('nothing to choose from');
      return value;
    },
  };
}
