/** Pseudo-random numbers, identical at every first start. */
export type Chance = {
  /** An integer from 0 (inclusive) to `end` (exclusive). */
  below(end: number): number;
  of<T>(things: readonly [T, ...T[]] | readonly T[]): T;
};

/** Mulberry32: fast, and uniform enough for a shop's customers. */
export function startChance(seed: number): Chance {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(next() * end);
  return {
    below,
    of(things) {
      const thing = things[below(things.length)];
      if (thing === undefined) throw new Error('nothing to choose from');
      return thing;
    },
  };
}
