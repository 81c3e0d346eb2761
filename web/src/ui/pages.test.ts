import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GAP, pageNumbers } from './pagination.tsx';

const anyPage = fc
  .integer({ min: 1, max: 2000 })
  .chain((count) => fc.record({ count: fc.constant(count), page: fc.integer({ min: 1, max: count }) }));

test('the first, the current and the last page are always offered, in rising order', () => {
  fc.assert(
    fc.property(anyPage, ({ page, count }) => {
      const numbers = pageNumbers(page, count, false).filter((number) => number !== GAP);
      expect(numbers).toContain(page);
      expect(numbers[0]).toBe(1);
      expect(numbers.at(-1)).toBe(count);
      expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    }),
  );
});

test('a gap appears only where pages are left out', () => {
  fc.assert(
    fc.property(anyPage, ({ page, count }) => {
      const pageEntries = pageNumbers(page, count, false);
      for (const [index, number] of pageEntries.entries()) {
        const next = pageEntries[index + 1];
        if (number === GAP || next === undefined) continue;
        if (next !== GAP) expect(next).toBe(number + 1);
        else expect(Number(pageEntries[index + 2])).toBeGreaterThan(number + 1);
      }
    }),
  );
});

test('phones show at most three pages around the current one', () => {
  expect(pageNumbers(1, 141, true)).toEqual([1, 2, 3]);
  expect(pageNumbers(70, 141, true)).toEqual([69, 70, 71]);
  expect(pageNumbers(141, 141, true)).toEqual([139, 140, 141]);
  expect(pageNumbers(2, 2, true)).toEqual([1, 2]);
});
