import { expect, test } from 'vitest';
import { RateLimit } from './rate-limit.ts';

const minute = 60_000;

test('a caller has a number of calls per minute, which then resets', () => {
  const limit = new RateLimit(2);
  const allowed = [0, 1, 2].map((now) => limit.take('a', now).allowed);
  expect(allowed).toEqual([true, true, false]);
  expect(limit.peek('a', 3).allowed).toBe(false);
  expect(limit.peek('b', 3).allowed).toBe(true);
  expect(limit.take('a', minute).allowed).toBe(true);
});

test('a flood of callers evicts only the oldest', () => {
  const limit = new RateLimit(1);
  limit.take('oldest', 0);
  limit.take('old', 1);
  for (let caller = 0; caller < 9_999; caller += 1) limit.take(`#${caller}`, 2);
  expect(limit.peek('oldest', 3).allowed).toBe(true);
  expect(limit.peek('old', 3).allowed).toBe(false);
  expect(limit.peek('#0', 3).allowed).toBe(false);
});

test('a caller with a new minute counts as recent', () => {
  const limit = new RateLimit(1);
  limit.take('a', 0);
  limit.take('b', 1);
  limit.take('a', minute);
  for (let caller = 0; caller < 9_999; caller += 1) limit.take(`#${caller}`, minute + 2);
  expect(limit.peek('a', minute + 3).allowed).toBe(false);
});
