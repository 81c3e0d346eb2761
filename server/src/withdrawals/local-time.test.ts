import { describe, expect, test } from 'vitest';
import { formatMomentForSentence, nightWindow } from '../calendar-day.ts';
import { dayWindow, nextCapChange } from './caps.ts';

const timeOf = (text: string) => new Date(`${text}-03:00`);

describe('days and nights follow Brasília time', () => {
  test('a day begins and ends at midnight', () => {
    for (const time of ['2026-11-22T00:00:00', '2026-11-22T15:04:05', '2026-11-22T23:59:59'])
      expect(dayWindow(timeOf(time))).toEqual({
        from: timeOf('2026-11-22T00:00:00'),
        until: timeOf('2026-11-23T00:00:00'),
      });
  });

  test('a night is 20:00 to 06:00, before and after midnight', () => {
    const night = { from: timeOf('2026-12-31T20:00:00'), until: timeOf('2027-01-01T06:00:00') };
    for (const time of [
      '2026-12-31T20:00:00',
      '2026-12-31T23:59:59',
      '2027-01-01T00:00:00',
      '2027-01-01T05:59:59',
    ])
      expect(nightWindow(timeOf(time))).toEqual(night);
    for (const time of ['2026-12-31T19:59:59', '2027-01-01T06:00:00', '2027-01-01T12:00:00'])
      expect(nightWindow(timeOf(time))).toBeUndefined();
  });

  test.each([
    ['2026-12-31T00:00:00', '2026-12-31T06:00:00'],
    ['2026-12-31T05:59:59', '2026-12-31T06:00:00'],
    ['2026-12-31T06:00:00', '2026-12-31T20:00:00'],
    ['2026-12-31T20:00:00', '2027-01-01T00:00:00'],
    ['2026-12-31T23:59:59', '2027-01-01T00:00:00'],
  ])('the caps in force at %s change at %s', (now, until) => {
    expect(nextCapChange(timeOf(now))).toEqual(timeOf(until));
  });

  test('a time is formatted as local time there', () => {
    expect(formatMomentForSentence(new Date('2026-11-23T02:05:00Z'))).toBe('22/11/2026 às 23:05');
  });
});
