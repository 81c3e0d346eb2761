import { addDays, businessDaysBetween } from '@jangada/pix';
import { expect, test } from 'vitest';
import { debitDayOf, dueDayOf, lastSendDayOf, sendDayOf } from './cycle-days.ts';

const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000;

const daysOf = (firstDay: string, period: 'weekly' | 'monthly' | 'quarterly' | 'annual', count: number) =>
  Array.from({ length: count }, (_, index) => dueDayOf({ firstDay, period }, index + 1));

test('a subscription of the 31st falls due on the last day of shorter months, and on the 31st again after them', () => {
  expect(daysOf('2027-01-31', 'monthly', 5)).toEqual([
    '2027-01-31',
    '2027-02-28',
    '2027-03-31',
    '2027-04-30',
    '2027-05-31',
  ]);
  expect(daysOf('2027-11-30', 'quarterly', 3)).toEqual(['2027-11-30', '2028-02-29', '2028-05-30']);
});

test('a subscription of 29 February falls due on the 28th in other years, and on the 29th again in the next leap year', () => {
  expect(daysOf('2028-02-29', 'annual', 5)).toEqual([
    '2028-02-29',
    '2029-02-28',
    '2030-02-28',
    '2031-02-28',
    '2032-02-29',
  ]);
});

test('a weekly subscription falls due on the same weekday, across the end of a year', () => {
  expect(daysOf('2026-12-24', 'weekly', 3)).toEqual(['2026-12-24', '2026-12-31', '2027-01-07']);
});

test('each day of 2026 to 2046 is sent within every reading of the window: of calendar and business days, to due and debit day', () => {
  const wrong: string[] = [];
  for (let dueDay = '2026-01-01'; dueDay < '2047-01-01'; dueDay = addDays(dueDay, 1))
    for (const sentOn of [sendDayOf(dueDay), lastSendDayOf(dueDay)])
      for (const until of [dueDay, debitDayOf(dueDay)]) {
        const days = daysBetween(sentOn, until);
        const businessDays = businessDaysBetween(sentOn, until);
        if (days < 2 || days > 10 || businessDays < 2 || businessDays > 10)
          wrong.push(
            `${dueDay}, sent on ${sentOn}: ${days} days and ${businessDays} business days to ${until}`,
          );
      }
  expect(wrong).toEqual([]);
});

test('a cycle may be sent late until no bank could read it as too late', () => {
  // Due on a Sunday and debited on Monday: two business days before it lie on Thursday and Friday.
  expect([debitDayOf('2026-05-31'), lastSendDayOf('2026-05-31')]).toEqual(['2026-06-01', '2026-05-27']);
  expect(lastSendDayOf('2026-06-03')).toBe('2026-06-01');
});
