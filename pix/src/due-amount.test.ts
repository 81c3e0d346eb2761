import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PROPERTY_RUNS } from '../test/property-runs.ts';
import { addDays, businessDaysBetween, isBusinessDay, rollToBusinessDay } from './business-day.ts';
import {
  type AmountOrPercent,
  type DueTerms,
  dueDatesOf,
  dueDaysOf,
  predictDueAmount,
} from './due-amount.ts';

const base = { originalCents: 100_00, validAfterDueDays: 30 };
const amount = (cents: number): AmountOrPercent => ({ unit: 'amount', cents });
const percent = (hundredths: number): AmountOrPercent => ({ unit: 'percent', hundredths });

test('a year has the national holidays that banks keep', () => {
  const holidaysOf = (year: number) => {
    const days = Array.from({ length: 366 }, (_, index) => addDays(`${year}-01-01`, index));
    const weekdays = days.filter((day) => ![0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay()));
    return weekdays.filter((day) => day.startsWith(String(year)) && !isBusinessDay(day));
  };
  expect(holidaysOf(2023)).toEqual([
    '2023-02-20',
    '2023-02-21',
    '2023-04-07',
    '2023-04-21',
    '2023-05-01',
    '2023-06-08',
    '2023-09-07',
    '2023-10-12',
    '2023-11-02',
    '2023-11-15',
    '2023-12-25',
  ]);
  expect(holidaysOf(2026)).toEqual([
    '2026-01-01',
    '2026-02-16',
    '2026-02-17',
    '2026-04-03',
    '2026-04-21',
    '2026-05-01',
    '2026-06-04',
    '2026-09-07',
    '2026-10-12',
    '2026-11-02',
    '2026-11-20',
    '2026-12-25',
  ]);
  expect(holidaysOf(2038).slice(1, 4)).toEqual(['2038-03-08', '2038-03-09', '2038-04-21']);
});

// The examples A to G of `CobDataDeVencimento` in BACEN's OpenAPI file of the API Pix, 2.9.0.
describe.each([
  ['A', '2020-10-20', 4, '2020-10-20', '2020-10-26'],
  ['B', '2020-12-25', 0, '2020-12-28', '2020-12-28'],
  ['C', '2020-12-25', 1, '2020-12-28', '2020-12-29'],
  ['D', '2020-12-25', 3, '2020-12-28', '2020-12-31'],
  ['E', '2020-12-25', 4, '2020-12-28', '2021-01-04'],
  ['F', '2021-08-27', 5, '2021-08-27', '2021-09-01'],
  ['G', '2021-08-28', 5, '2021-08-30', '2021-09-06'],
])('BACEN’s example %s', (_, dueDate, validAfterDueDays, dueDay, lastDay) => {
  const terms = { ...base, dueDate, validAfterDueDays, fine: percent(200) };
  test('ends on the day that the file says, and is late only after the rolled due date', () => {
    expect(dueDaysOf(terms)).toEqual({ dueDay, lastDay });
    expect(predictDueAmount(terms, dueDay)).toMatchObject({ fineCents: 0, finalCents: 100_00 });
    expect(predictDueAmount(terms, lastDay)).toMatchObject({ fineCents: lastDay > dueDay ? 2_00 : 0 });
    expect(predictDueAmount(terms, addDays(lastDay, 1))).toBeUndefined();
  });
});

describe('interest', () => {
  // Due on a Thursday, 3 December 2026; paid on Monday the 14th: 11 calendar days, 7 business days.
  const late = (interest: DueTerms['interest']) =>
    predictDueAmount({ ...base, originalCents: 1000_00, dueDate: '2026-12-03', interest }, '2026-12-14');
  test.each([
    [1, { days: 'calendar', unit: 'amount', cents: 10 }, 1_10],
    [2, { days: 'calendar', unit: 'percent', hundredths: 10, per: 'day' }, 11_00],
    [3, { days: 'calendar', unit: 'percent', hundredths: 100, per: 'month' }, 3_67],
    [4, { days: 'calendar', unit: 'percent', hundredths: 1200, per: 'year' }, 3_62],
    [5, { days: 'business', unit: 'amount', cents: 10 }, 70],
    [6, { days: 'business', unit: 'percent', hundredths: 10, per: 'day' }, 7_00],
    [7, { days: 'business', unit: 'percent', hundredths: 100, per: 'month' }, 3_33],
    [8, { days: 'business', unit: 'percent', hundredths: 1200, per: 'year' }, 3_33],
  ] as const)('of modality %i', (_, interest, interestCents) => {
    expect(late(interest)).toMatchObject({ interestCents, finalCents: 1000_00 + interestCents });
  });

  test('of a month is linear on large amounts, as in the case that BACEN was asked about', () => {
    const interest = { days: 'calendar', unit: 'percent', hundredths: 100, per: 'month' } as const;
    const terms = { ...base, originalCents: 30_000_00, dueDate: '2024-09-04', interest };
    expect(predictDueAmount(terms, '2024-09-05')).toMatchObject({ interestCents: 10_00 });
  });

  test('begins on the next business day, and is counted from the rolled due date', () => {
    const interest = { days: 'calendar', unit: 'amount', cents: 10 } as const;
    // Due on a Saturday: Monday is in time, and Tuesday is one day late.
    const onSaturday = { ...base, dueDate: '2021-02-27', interest };
    expect(predictDueAmount(onSaturday, '2021-03-01')).toMatchObject({ interestCents: 0 });
    expect(predictDueAmount(onSaturday, '2021-03-02')).toMatchObject({ interestCents: 10 });
    // Due on a Friday: nothing on the weekend, and three days on Monday.
    const onFriday = { ...base, dueDate: '2021-02-26', interest };
    expect(predictDueAmount(onFriday, '2021-02-28')).toMatchObject({ interestCents: 0 });
    expect(predictDueAmount(onFriday, '2021-03-01')).toMatchObject({ interestCents: 30 });
  });
});

test('a rebate lowers the amount on which the rest is counted', () => {
  const terms = { ...base, dueDate: '2026-12-03', rebate: percent(1000), fine: percent(200) };
  expect(predictDueAmount(terms, '2026-12-04')).toEqual({
    originalCents: 100_00,
    rebateCents: 10_00,
    fineCents: 1_80,
    interestCents: 0,
    discountCents: 0,
    finalCents: 91_80,
  });
});

describe('discounts', () => {
  const discountOn = (day: string, discount: DueTerms['discount'], dueDate = '2026-12-10') =>
    predictDueAmount({ ...base, dueDate, discount }, day)?.discountCents;

  test('until fixed days: the step that ends first counts, and none after the last', () => {
    const discount = {
      kind: 'until' as const,
      steps: [
        { ...amount(5_00), until: '2026-12-07' },
        { ...amount(10_00), until: '2026-12-01' },
      ],
    };
    expect(discountOn('2026-12-01', discount)).toBe(10_00);
    expect(discountOn('2026-12-02', discount)).toBe(5_00);
    expect(discountOn('2026-12-08', discount)).toBe(0);
  });

  test('until a day that is no business day lasts until the next one', () => {
    const discount = { kind: 'until' as const, steps: [{ ...percent(500), until: '2026-12-12' }] };
    expect(discountOn('2026-12-14', discount, '2026-12-12')).toBe(5_00);
    expect(discountOn('2026-12-15', discount, '2026-12-12')).toBe(0);
  });

  test('for each day that the payment comes early, calendar or business', () => {
    const eachDay = { kind: 'each-day', ...amount(50) } as const;
    expect(discountOn('2026-12-04', { ...eachDay, days: 'calendar' })).toBe(3_00);
    expect(discountOn('2026-12-04', { ...eachDay, days: 'business' })).toBe(2_00);
    expect(discountOn('2026-12-10', { ...eachDay, days: 'calendar' })).toBe(0);
    const share = { kind: 'each-day', ...percent(25), days: 'business' } as const;
    expect(discountOn('2026-12-04', share)).toBe(1_00);
  });

  test('never exceed the amount', () => {
    const discount = { kind: 'each-day', ...percent(1000), days: 'calendar' } as const;
    expect(discountOn('2026-11-01', discount)).toBe(100_00);
  });
});

const days = fc.integer({ min: 0, max: 20_000 }).map((index) => addDays('2020-01-01', index));
const parts = fc.oneof(
  fc.integer({ min: 1, max: 99 }).map(amount),
  fc.integer({ min: 1, max: 9999 }).map(percent),
);
const termsOf = fc.record({
  originalCents: fc.integer({ min: 100, max: 999_999_999_999 }),
  dueDate: days,
  validAfterDueDays: fc.integer({ min: 0, max: 365 }),
  fine: fc.option(parts, { nil: undefined }),
  rebate: fc.option(parts, { nil: undefined }),
  interest: fc.option(
    fc.record({
      days: fc.constantFrom('calendar' as const, 'business' as const),
      unit: fc.constant('percent' as const),
      hundredths: fc.integer({ min: 1, max: 9999 }),
      per: fc.constantFrom('day' as const, 'month' as const, 'year' as const),
    }),
    { nil: undefined },
  ),
});

test('the parts always add up, and whoever waits longer never owes less', () => {
  fc.assert(
    fc.property(termsOf, fc.integer({ min: -60, max: 400 }), (terms, offset) => {
      const day = addDays(terms.dueDate, offset);
      const today = predictDueAmount(terms, day);
      const tomorrow = predictDueAmount(terms, addDays(day, 1));
      if (today === undefined) {
        expect(tomorrow).toBeUndefined();
        return;
      }
      const { originalCents, fineCents, interestCents, rebateCents, discountCents, finalCents } = today;
      expect(finalCents).toBe(originalCents + fineCents + interestCents - rebateCents - discountCents);
      expect(Object.values(today).every((cents) => Number.isSafeInteger(cents) && cents >= 0)).toBe(true);
      if (tomorrow !== undefined) expect(tomorrow.finalCents).toBeGreaterThanOrEqual(finalCents);
    }),
    { numRuns: PROPERTY_RUNS },
  );
});

test('a rolled day is the first business day, and business days add up', () => {
  fc.assert(
    fc.property(days, fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 60 }), (day, one, other) => {
      const rolled = rollToBusinessDay(day);
      expect(isBusinessDay(rolled)).toBe(true);
      expect(businessDaysBetween(addDays(day, -1), rolled)).toBe(1);
      const middle = addDays(day, one);
      const end = addDays(middle, other);
      expect(businessDaysBetween(day, end)).toBe(
        businessDaysBetween(day, middle) + businessDaysBetween(middle, end),
      );
    }),
    { numRuns: PROPERTY_RUNS },
  );
});

describe('the due dates that fall due on a day', () => {
  test.each([
    ['a Tuesday', '2027-01-12', '2027-01-12', '2027-01-12'],
    ['a Monday, with the weekend before it', '2027-01-11', '2027-01-09', '2027-01-11'],
    ['a Saturday, on which Friday’s are not late yet', '2027-01-16', '2027-01-15', '2027-01-15'],
    ['Ash Wednesday, with Carnival and the weekend', '2027-02-10', '2027-02-06', '2027-02-10'],
  ])('%s', (_, day, from, to) => {
    expect(dueDatesOf(day)).toEqual({ from, to });
  });

  test('are those that are reached and not late', () => {
    for (let payDay = '2026-12-20'; payDay < '2027-03-01'; payDay = addDays(payDay, 1)) {
      const { from, to } = dueDatesOf(payDay);
      for (let dueDate = addDays(payDay, -12); dueDate < addDays(payDay, 12); dueDate = addDays(dueDate, 1)) {
        const terms = { ...base, dueDate, fine: percent(200) };
        const isLate = predictDueAmount(terms, payDay)?.fineCents !== 0;
        const isReached = dueDaysOf(terms).dueDay <= payDay;
        expect([dueDate < from, dueDate > to], `${dueDate} on ${payDay}`).toEqual([isLate, !isReached]);
      }
    }
  });
});
