/**
 * Draws places 0 to `count - 1` from a Zipf distribution (exponent 1): the second is half as likely as the first, the
 * third a third. The same seed draws the same places.
 */
export function createZipf(count: number, seed: number): () => number {
  const upTo = new Float64Array(count);
  let sum = 0;
  for (let place = 0; place < count; place += 1) {
    sum += 1 / (place + 1);
    upTo[place] = sum;
  }
  const random = createRandom(seed);
  return () => firstAbove(upTo, random() * sum);
}

function firstAbove(upTo: Float64Array, drawn: number): number {
  let [low, high] = [0, upTo.length - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((upTo[middle] ?? 0) > drawn) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Random numbers from 0 to below 1 (mulberry32), reproducible by seed, so that every round has the same work. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
