import { expect, test } from 'vitest';
import { createZipf } from './zipf.ts';

test('the first of a thousand is drawn about twice as often as the second, and all can be drawn', () => {
  const draw = createZipf(1000, 7);
  const drawn = new Uint32Array(1000);
  for (let nth = 0; nth < 100_000; nth += 1) {
    const place = draw();
    drawn[place] = (drawn[place] ?? 0) + 1;
  }
  const [first = 0, second = 0, third = 0] = drawn;
  expect(first / second).toBeCloseTo(2, 0);
  expect(first / third).toBeCloseTo(3, 0);
  expect(drawn.filter((count) => count === 0).length).toBeLessThan(10);
});

test('the same seed draws the same places, a different seed different ones', () => {
  const places = (seed: number) => Array.from({ length: 20 }, createZipf(1000, seed));
  expect(places(1)).toEqual(places(1));
  expect(places(1)).not.toEqual(places(2));
});
