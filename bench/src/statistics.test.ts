import { expect, test } from 'vitest';
import { percentilesOf, spreadOf } from './statistics.ts';

test('the median is one of the measured values, whatever their order', () => {
  expect(spreadOf([30, 9, 100])).toEqual({ median: 30, lowest: 9, highest: 100 });
  expect(spreadOf([4, 1, 3, 2])).toEqual({ median: 2, lowest: 1, highest: 4 });
});

test('the median of no runs is an error', () => {
  expect(() => spreadOf([])).toThrow(RangeError);
});

test('a percentile is a measured value (nearest rank), whatever the order of the values', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect(percentilesOf(hundred)).toEqual({ p50: 50, p99: 99, highest: 100 });
  expect(percentilesOf([7])).toEqual({ p50: 7, p99: 7, highest: 7 });
  expect(percentilesOf([])).toEqual({ p50: 0, p99: 0, highest: 0 });
});
