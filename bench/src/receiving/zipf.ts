/**
 * Returns a function that draws indexes from 0 to `count - 1` by a Zipf distribution (exponent 1): index 1 is half as
 * likely as index 0, index 2 a third as likely. The same seed draws the same indexes.
 */
export function createZipf(count: number, seed: number): () => number {
  const cumulativeWeights = new Float64Array(count);
  let sum = 0;
  for (let index = 0; index < count; index += 1) {
    sum += 1 / (index + 1);
    cumulativeWeights[index] = sum;
  }
  const random = createRandom(seed);
  return () => firstIndexAbove(cumulativeWeights, random() * sum);
}

/** Returns the index of the first of the ascending values that is greater than `limit`, by binary search. */
function firstIndexAbove(values: Float64Array, limit: number): number {
  let [low, high] = [0, values.length - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] ?? 0) > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Returns a function that draws random numbers from 0 to below 1 (mulberry32). The same seed draws the same numbers, so
 * that every round has the same work.
 */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
