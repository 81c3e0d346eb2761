import { expect, test } from 'vitest';
import { createZipf } from './zipf.ts';

test('the first of a thousand is drawn about twice as often as the second, and almost all are drawn in the end', () => {
  const draw = createZipf(1000, 7);
  const counts = new Uint32Array(1000);
  for (let nth = 0; nth < 100_000; nth += 1) {
    const index = draw();
    counts[index] = (counts[index] ?? 0) + 1;
  }
  const [first = 0, second = 0, third = 0] = counts;
  expect(first / second).toBeCloseTo(2, 0);
  expect(first / third).toBeCloseTo(3, 0);
  expect(counts.filter((count) => count === 0).length).toBeLessThan(10);
});

test('the same seed draws the same indexes, a different seed different ones', () => {
  const draws = (seed: number) => Array.from({ length: 20 }, createZipf(1000, seed));
  expect(draws(1)).toEqual(draws(1));
  expect(draws(1)).not.toEqual(draws(2));
});
