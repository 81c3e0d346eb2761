import { expect, test } from 'vitest';
import { spreadOf } from './statistics.ts';

test('the median is a run that was measured, whatever the order of the runs', () => {
  expect(spreadOf([30, 9, 100])).toEqual({ median: 30, lowest: 9, highest: 100 });
  expect(spreadOf([4, 1, 3, 2])).toEqual({ median: 2, lowest: 1, highest: 4 });
});

test('no runs have no median', () => {
  expect(() => spreadOf([])).toThrow(RangeError);
});
