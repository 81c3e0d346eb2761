import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { copyClockVariables, momentOf } from './test-moment.ts';

const now = new Date('2026-11-23T17:00:00Z');

test('a date and time is read as its next occurrence in Brasília', () => {
  expect(momentOf('12-31T02:00', now)).toEqual(new Date('2026-12-31T05:00:00Z'));
  expect(momentOf('12-31T23:59', now)).toEqual(new Date('2027-01-01T02:59:00Z'));
  expect(momentOf('02-28T23:59', now)).toEqual(new Date('2027-03-01T02:59:00Z'));
});

test('an invalid time is refused', () => {
  for (const text of ['', '31-12T02:00', '12-31', '12-31T25:00', '2026-12-31T02:00'])
    expect(() => momentOf(text, now), text).toThrow('is no');
});

test("a program started by a test uses the tests' clock", () => {
  const before = Date.now();
  const output = execFileSync(process.execPath, ['-p', 'Date.now()'], {
    env: copyClockVariables(process.env),
    encoding: 'utf8',
  });
  expect(Number(output)).toBeGreaterThanOrEqual(before);
  expect(Number(output)).toBeLessThanOrEqual(Date.now());
});
