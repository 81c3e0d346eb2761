import { expect, test } from 'vitest';
import { breakerAfter, CLOSED_BREAKER } from './retry-schedule.ts';

const now = new Date('2026-03-01T12:00:00Z');
const after = (timeouts: readonly boolean[]) =>
  timeouts.reduce((state, timedOut) => breakerAfter(state, timedOut, now), CLOSED_BREAKER);
const pauseAfter = (count: number) =>
  ((after(Array(count).fill(true)).pausedUntil?.getTime() ?? now.getTime()) - now.getTime()) / 1000;

test('it opens at the third consecutive time-out, and each further one lengthens the pause, up to ten minutes', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 50, 2000].map(pauseAfter)).toEqual([0, 0, 60, 120, 240, 480, 600, 600, 600]);
});

test('any response in between resets the count', () => {
  expect(after([true, true, false, true, true]).pausedUntil).toBe(null);
  expect(after([true, true, true, false])).toEqual(CLOSED_BREAKER);
});
