import { expect, test } from 'vitest';
import { addDays, bankDayFrom, countBankDays, isBankDay, isCalendarDay } from './bank-days.ts';
import { amountOn, lastPayableDay } from './cobv-amount.ts';
import type { CobvTerms } from './records.ts';

/** A charge of R$ 100.00 due on Friday, 7 August 2026, far from any holiday. */
const FRIDAY = '2026-08-07';
function terms(more: Partial<CobvTerms> = {}): CobvTerms {
  return {
    amountCents: 10_000,
    dueDate: FRIDAY,
    validityDays: 30,
    debtor: { cpf: '12345678909', nome: 'Ana' },
    ...more,
  };
}

const interestOn = (day: string, modality: number, value: number, more: Partial<CobvTerms> = {}) =>
  amountOn(terms({ interest: { modality, value }, ...more }), day).interestCents;
const discountOn = (day: string, discount: CobvTerms['discount'], more: Partial<CobvTerms> = {}) =>
  amountOn(terms({ discount, ...more }), day).discountCents;

// The examples of BACEN's file (CobDataDeVencimento): due date, validity, and the last day on which it is taken.
test.each([
  ['A', '2020-10-20', 4, '2020-10-26'],
  ['B', '2020-12-25', 0, '2020-12-28'],
  ['C', '2020-12-25', 1, '2020-12-29'],
  ['D', '2020-12-25', 3, '2020-12-31'],
  ['E', '2020-12-25', 4, '2021-01-04'],
  ['F', '2021-08-27', 5, '2021-09-01'],
  ['G', '2021-08-28', 5, '2021-09-06'],
])(
  'example %s of the official file: due %s and valid for %i days more, last paid on %s',
  (_name, dueDate, validityDays, last) => {
    expect(lastPayableDay(terms({ dueDate, validityDays }))).toBe(last);
  },
);

test('the longest validity ends with the calendar', () => {
  expect(lastPayableDay(terms({ validityDays: 2 ** 31 - 1 }))).toBe('9999-12-31');
});

test('on and before the due date only the rebate changes the amount', () => {
  const fine = { modality: 1, value: 200 };
  const charge = terms({ fine, interest: fine, rebate: { modality: 2, value: 1050 } });
  for (const day of ['2026-07-01', FRIDAY]) {
    expect(amountOn(charge, day)).toEqual({
      originalCents: 10_000,
      fineCents: 0,
      interestCents: 0,
      rebateCents: 1050,
      discountCents: 0,
      finalCents: 8950,
    });
  }
});

test('due on a Friday, nothing more is owed at the weekend, and three days on Monday', () => {
  const charge = terms({ fine: { modality: 2, value: 200 }, interest: { modality: 1, value: 100 } });
  const finals = ['2026-08-07', '2026-08-08', '2026-08-09', '2026-08-10', '2026-08-11'].map(
    (day) => amountOn(charge, day).finalCents,
  );
  expect(finals).toEqual([10_000, 10_000, 10_000, 10_500, 10_600]);
});

test('due at a weekend, everything counts from Monday', () => {
  // BACEN's answer in pix-api issue 347: due on Saturday, 27 February 2021, R$ 10.00 and R$ 0.10 a calendar day.
  const charge = terms({ amountCents: 1000, dueDate: '2021-02-27', interest: { modality: 1, value: 10 } });
  const finals = ['2021-02-27', '2021-03-01', '2021-03-02', '2021-03-03'].map(
    (day) => amountOn(charge, day).finalCents,
  );
  expect(finals).toEqual([1000, 1000, 1010, 1020]);
});

test('the example of componentesValor: 3% once and 1% a day for two days are R$ 105.00', () => {
  const charge = terms({
    dueDate: '2026-08-04',
    fine: { modality: 2, value: 300 },
    interest: { modality: 2, value: 100 },
  });
  expect(amountOn(charge, '2026-08-06')).toMatchObject({
    fineCents: 300,
    interestCents: 200,
    finalCents: 10_500,
  });
});

test('the fine is flat, and a percentage of what is left after the rebate', () => {
  const rebate = { modality: 1, value: 2000 };
  const percent = terms({ rebate, fine: { modality: 2, value: 1000 } });
  expect(amountOn(percent, '2026-08-10').fineCents).toBe(800);
  expect(amountOn(percent, '2026-09-04').fineCents).toBe(800);
  expect(amountOn(terms({ rebate, fine: { modality: 1, value: 333 } }), '2026-09-04').fineCents).toBe(333);
});

// From Friday, 7 August, to Friday, 11 September: 35 calendar days, and 24 business days without 7 September.
test.each([
  [1, 7, 245, 'a value a calendar day'],
  [2, 10, 350, 'a percentage a calendar day'],
  [3, 100, 117, 'a percentage a month of 30 days'],
  [4, 1200, 115, 'a percentage a year of 365 days'],
  [5, 7, 168, 'a value a business day'],
  [6, 10, 240, 'a percentage a business day'],
  [7, 100, 114, 'a percentage a month of 21 business days'],
  [8, 1200, 114, 'a percentage a year of 252 business days'],
])('interest of modality %i: %i hundredths are %i cents, %s', (modality, value, cents) => {
  expect(interestOn('2026-09-11', modality, value)).toBe(cents);
});

test('interest of business days stands still at the weekend, and of calendar days does not', () => {
  const days = ['2026-08-14', '2026-08-15', '2026-08-16', '2026-08-17'];
  expect(days.map((day) => interestOn(day, 5, 100))).toEqual([500, 500, 500, 600]);
  expect(days.map((day) => interestOn(day, 1, 100))).toEqual([700, 800, 900, 1000]);
});

test('interest is a percentage of what is left after the rebate, and is the same for each day', () => {
  const rebate = { modality: 2, value: 5000 };
  expect(interestOn('2026-08-17', 2, 100, { rebate })).toBe(500);
  // BACEN's pix-api issue 607: 1% a month of R$ 30,000.00 is R$ 10.00 a day, not rounded before it is multiplied.
  expect(interestOn('2024-09-05', 3, 100, { amountCents: 3_000_000, dueDate: '2024-09-04' })).toBe(1000);
});

test('half a cent is rounded up, and less than half down, without an error of binary fractions', () => {
  // BACEN's pix-api issue 404: 0.05% of R$ 10.00.
  expect(amountOn(terms({ amountCents: 1000, rebate: { modality: 2, value: 5 } }), FRIDAY)).toMatchObject({
    rebateCents: 1,
    finalCents: 999,
  });
  const fine = (amountCents: number, value: number) =>
    amountOn(terms({ amountCents, fine: { modality: 2, value } }), '2026-08-10').fineCents;
  expect([fine(115, 10_000), fine(100, 49), fine(100, 50), fine(100, 149), fine(100, 150)]).toEqual([
    115, 0, 1, 1, 2,
  ]);
  expect(fine(999_999_999_999, 9999)).toBe(999_899_999_999);
  expect(interestOn('2026-08-10', 4, 9_999_999, { amountCents: 999_999_999_999 })).toBe(8_219_177_260_266);
});

test('of the steps of a discount the one that ends first counts until it has passed', () => {
  const steps = [
    { until: FRIDAY, value: 100 },
    { until: '2026-08-03', value: 300 },
    { until: '2026-08-05', value: 200 },
  ];
  const days = ['2026-07-01', '2026-08-03', '2026-08-04', '2026-08-05', '2026-08-06', FRIDAY, '2026-08-08'];
  expect(days.map((day) => discountOn(day, { modality: 1, steps }))).toEqual([
    300, 300, 200, 200, 100, 100, 0,
  ]);
  const rebate = { modality: 1, value: 2000 };
  expect(discountOn('2026-08-04', { modality: 2, steps }, { rebate })).toBe(160);
});

test('a step until a day that is no business day lasts until the next one', () => {
  const dueOnSaturday = { dueDate: '2026-08-08' };
  const step = { modality: 1, steps: [{ until: '2026-08-08', value: 300 }] };
  const days = ['2026-08-08', '2026-08-10', '2026-08-11'];
  expect(days.map((day) => discountOn(day, step, dueOnSaturday))).toEqual([300, 300, 0]);
  // BACEN's answer in pix-api issue 390: a step until Good Friday, and another until the Monday after it.
  const easter = {
    modality: 1,
    steps: [
      { until: '2021-04-02', value: 300 },
      { until: '2021-04-06', value: 200 },
    ],
  };
  const easterDays = ['2021-04-02', '2021-04-03', '2021-04-04', '2021-04-06'];
  expect(easterDays.map((day) => discountOn(day, easter, { dueDate: '2021-04-30' }))).toEqual([
    300, 300, 300, 200,
  ]);
});

test('a discount by days counts those before the due date, which moves to a business day first', () => {
  const days = ['2026-08-03', '2026-08-06', FRIDAY, '2026-08-08'];
  expect(days.map((day) => discountOn(day, { modality: 3, value: 100 }))).toEqual([400, 100, 0, 0]);
  expect(days.map((day) => discountOn(day, { modality: 4, value: 100 }))).toEqual([400, 100, 0, 0]);
  // A week earlier: 7 calendar days, and 5 business days. From a Saturday on, the four from Monday to Thursday.
  expect(discountOn('2026-07-31', { modality: 3, value: 100 })).toBe(700);
  expect(discountOn('2026-07-31', { modality: 4, value: 100 })).toBe(500);
  expect(discountOn('2026-08-01', { modality: 4, value: 100 })).toBe(400);
  expect(discountOn(FRIDAY, { modality: 3, value: 100 }, { dueDate: '2026-08-08' })).toBe(300);
  expect(discountOn(FRIDAY, { modality: 4, value: 100 }, { dueDate: '2026-08-08' })).toBe(100);
  const rebate = { modality: 2, value: 5000 };
  expect(discountOn('2026-07-31', { modality: 5, value: 100 }, { rebate })).toBe(350);
  expect(discountOn('2026-07-31', { modality: 6, value: 100 }, { rebate })).toBe(250);
});

test('no discount is more than what is left after the rebate', () => {
  const rebate = { modality: 1, value: 9000 };
  for (const discount of [
    { modality: 6, value: 1000 },
    { modality: 3, value: 9999 },
    { modality: 1, steps: [{ until: FRIDAY, value: 9999 }] },
  ]) {
    expect(amountOn(terms({ rebate, discount }), '2026-01-05')).toMatchObject({
      discountCents: 1000,
      finalCents: 0,
    });
  }
});

// Easter Sundays that the church's tables give, among them the earliest and the latest, and both exceptions.
test.each([
  '1818-03-22',
  '1943-04-25',
  '1954-04-18',
  '1961-04-02',
  '1981-04-19',
  '2000-04-23',
  '2019-04-21',
  '2024-03-31',
  '2025-04-20',
  '2026-04-05',
  '2027-03-28',
  '2038-04-25',
  '2049-04-18',
  '2076-04-19',
  '2285-03-22',
  '3165-04-18',
])('Carnival, Good Friday and Corpus Christi are holidays around the Easter of %s', (easter) => {
  const holidays = [-48, -47, -2, 60].map((count) => addDays(easter, count));
  expect(holidays.filter(isBankDay)).toEqual([]);
  // Ash Wednesday, Maundy Thursday and the days beside Corpus Christi are none.
  const others = [-49, -46, -3, 59].map((count) => addDays(easter, count));
  const fixed = /-(01-01|04-21|05-01|09-07|10-12|11-02|11-15|11-20|12-25)$/;
  expect(
    others.filter((day) => !fixed.test(day) && !isBankDay(day)).map((day) => new Date(day).getUTCDay()),
  ).toEqual([0]);
});

test('the national holidays are no business days, 20 November from 2024 on', () => {
  const fixed = ['01-01', '04-21', '05-01', '09-07', '10-12', '11-02', '11-15', '12-25'];
  for (const date of fixed)
    expect([2022, 2025].map((year) => isBankDay(`${year}-${date}`))).toEqual([false, false]);
  expect(['2023-11-20', '2024-11-20', '2025-11-20', '2026-11-20'].map(isBankDay)).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(bankDayFrom('2026-12-25')).toBe('2026-12-28');
});

test('business days are counted as they come, over years too', () => {
  for (const [first, end] of [
    ['2023-10-01', '2027-03-08'],
    ['2026-02-14', '2026-02-18'],
    ['2026-08-08', '2026-08-08'],
    ['2026-08-09', '2026-08-08'],
  ] as const) {
    let count = 0;
    for (let day: string = first; day < end; day = addDays(day, 1)) if (isBankDay(day)) count += 1;
    expect(countBankDays(first, end)).toBe(count);
  }
});

test('only days that exist are days', () => {
  const days = ['2024-02-29', '2026-02-29', '2026-13-01', '2026-2-3', '2026-02-03T00:00:00Z', ''];
  expect(days.map(isCalendarDay)).toEqual([true, false, false, false, false, false]);
});
