import { newPayment } from '@jangada/contract';
import { predictDueAmount } from '@jangada/pix';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../api/api-error.ts';
import {
  type DueDraft,
  dueProblemsOf,
  dueRequestOf,
  dueTermsOf,
  dueWarningsOf,
  newDueDraft,
  problemsAfter,
  refusedDueFields,
} from './due-draft.ts';
import { previewRows } from './due-preview.ts';

/** A Monday without a holiday in the weeks around it. */
const today = '2027-01-11';
const ana = { name: ' Ana Conceição ', document: '529.982.247-25' };
const draftOf = (change: Partial<DueDraft> = {}): DueDraft => ({ ...newDueDraft(today), ...ana, ...change });
const percent = (text: string) => ({ unit: 'percent', text }) as const;
const amount = (text: string) => ({ unit: 'amount', text }) as const;

/** The problems of a draft for R$ 100,00. */
const problems = (change: Partial<DueDraft>) => dueProblemsOf(draftOf(change), 100_00, today);

describe('what is typed about a charge with a due date', () => {
  test('has no problem as it opens, once the payer is named', () => {
    expect(dueProblemsOf(draftOf(), 100_00, today)).toEqual({});
    expect(dueProblemsOf(newDueDraft(today), null, today)).toEqual({
      name: expect.any(String),
      document: expect.any(String),
    });
  });

  test.each<[string, Partial<DueDraft>, string]>([
    ['a wrong document', { document: '529.982.247-26' }, 'document'],
    ['no due date', { dueDate: '' }, 'dueDate'],
    ['a due date that has passed', { dueDate: '2027-01-10' }, 'dueDate'],
    ['a due date in six years', { dueDate: '2033-01-10' }, 'dueDate'],
    ['more than a year to pay afterwards', { validAfterDue: '366' }, 'validAfterDue'],
    ['days that are no number', { validAfterDue: 'dez' }, 'validAfterDue'],
    ['a fine with three decimals', { fine: percent('2,345') }, 'fine'],
    ['a fine of nothing', { fine: percent('0') }, 'fine'],
    ['interest above 100 %', { interest: percent('100,01') }, 'interest'],
    ['a rebate of the whole amount', { rebate: amount('100,00') }, 'rebate'],
    ['a discount of 100 % a day', { early: percent('100') }, 'early'],
    ['a discount without a day', { discounts: [{ until: '', text: '5' }] }, 'until0'],
    ['a day without a discount', { discounts: [{ until: '2027-01-12', text: '' }] }, 'discount0'],
    ['a discount after the due date', { discounts: [{ until: '2027-01-19', text: '5' }] }, 'until0'],
    ['a discount that has ended', { discounts: [{ until: '2027-01-10', text: '5' }] }, 'until0'],
    ['a discount of the whole amount', { discounts: [{ until: '2027-01-12', text: '100' }] }, 'discount0'],
    [
      'two discounts until the same day',
      {
        discounts: [
          { until: '2027-01-12', text: '5' },
          { until: '2027-01-12', text: '6' },
        ],
      },
      'until1',
    ],
  ])('is refused with %s, at its field', (_, change, field) => {
    expect(Object.keys(problems(change))).toEqual([field]);
  });

  test('loses the error of a field that is changed, and keeps the others', () => {
    const shown = { fine: 'x', until1: 'y', discount0: 'z', name: 'n' };
    expect(problemsAfter(shown, { fine: percent('1') })).toEqual({ until1: 'y', discount0: 'z', name: 'n' });
    expect(problemsAfter(shown, { discounts: [] })).toEqual({ fine: 'x', name: 'n' });
  });
});

const full = draftOf({
  dueDate: '2027-01-20',
  validAfterDue: '60',
  fine: percent('2'),
  interest: percent('1,5'),
  rebate: amount('5'),
  discountUnit: 'amount',
  discounts: [
    { until: '2027-01-14', text: '10,00' },
    { until: '', text: '' },
    { until: '2027-01-18', text: '4,50' },
  ],
});

test('the request is one that the API takes, and says what was typed', () => {
  const request = dueRequestOf(full);
  expect(newPayment.parse({ amount: 100, ...request })).toMatchObject({
    payer: { name: 'Ana Conceição', document: '52998224725' },
    due_date: '2027-01-20',
    valid_after_due: 60,
    fine: { type: 'percent', value: 2 },
    interest: { type: 'percent', value: 1.5, per: 'month', days: 'calendar' },
    rebate: { type: 'amount', value: 5 },
    discounts: [
      { type: 'amount', value: 10, until: '2027-01-14' },
      { type: 'amount', value: 4.5, until: '2027-01-18' },
    ],
  });
  const byDay = draftOf({
    interest: amount('0,33'),
    interestPer: 'year',
    early: percent('0,1'),
    earlyDays: 'business',
  });
  expect(dueRequestOf(byDay)).toMatchObject({
    interest: { type: 'amount', value: 0.33, per: 'day' },
    early_discount: { type: 'percent', value: 0.1, days: 'business' },
  });
});

describe('the preview', () => {
  test('says what is owed on the days that matter, to the cent', () => {
    const terms = dueTermsOf(full, 100_00);
    expect(terms && previewRows(terms, today)).toEqual([
      { label: 'Se pagar hoje', day: '2027-01-11', cents: 85_00 },
      { label: 'Até o fim do desconto', day: '2027-01-14', cents: 85_00 },
      { label: 'Até o fim do desconto', day: '2027-01-18', cents: 90_50 },
      { label: 'No vencimento', day: '2027-01-20', cents: 95_00 },
      // 95,00 and 2 % of it, and 1,5 % ÷ 30 of it for each day.
      { label: 'No primeiro dia de atraso', day: '2027-01-21', cents: 96_95 },
      { label: '10 dias depois', day: '2027-01-30', cents: 97_38 },
      { label: 'No último dia', day: '2027-03-22', cents: 99_80 },
    ]);
  });

  test('has no row beyond the last day, and tells the due date when it is today', () => {
    const terms = dueTermsOf(draftOf({ dueDate: today, validAfterDue: '0' }), 100_00);
    expect(terms && previewRows(terms, today)).toEqual([
      { label: 'No vencimento', day: today, cents: 100_00 },
    ]);
  });

  test('is of the terms that the request asks for', () => {
    const terms = dueTermsOf(full, 100_00);
    expect(terms && predictDueAmount(terms, '2027-01-25')).toMatchObject({
      rebateCents: 5_00,
      fineCents: 1_90,
      interestCents: 24,
    });
    expect(dueTermsOf(full, null)).toBeUndefined();
  });
});

describe('a warning of consumer law', () => {
  test.each<[string, Partial<DueDraft>, number]>([
    ['2 % and 1 % a month', { fine: percent('2'), interest: percent('1') }, 0],
    ['12 % a year', { interest: percent('12'), interestPer: 'year' }, 0],
    ['R$ 2,00 of R$ 100,00', { fine: amount('2,00') }, 0],
    ['R$ 0,03 a day', { interest: amount('0,03') }, 0],
    ['2,01 %', { fine: percent('2,01') }, 1],
    ['R$ 2,01 of R$ 100,00', { fine: amount('2,01') }, 1],
    ['0,04 % a day', { interest: percent('0,04'), interestPer: 'day' }, 1],
    ['R$ 0,04 a day', { interest: amount('0,04') }, 1],
    ['10 % and 2 % a month', { fine: percent('10'), interest: percent('2') }, 2],
  ])('for %s comes or does not', (_, change, count) => {
    expect(dueWarningsOf(draftOf(change), 100_00)).toHaveLength(count);
  });
});

test('a refusal of the API stands at the field that it is about', () => {
  const refusal = (fields: readonly { field: string; message: string }[]) =>
    new ApiError({ status: 400, code: 'DUE_TERMS_INVALID', details: { fields } });
  expect(refusedDueFields(refusal([{ field: 'discounts.1.until', message: 'a' }])).problems).toEqual({
    until1: 'a',
  });
  expect(refusedDueFields(refusal([{ field: 'payer.document', message: 'b' }])).problems).toEqual({
    document: 'b',
  });
  expect(refusedDueFields(refusal([{ field: 'amount', message: 'c' }]))).toEqual({
    problems: {},
    amount: 'c',
  });
  expect(refusedDueFields(new Error('x'))).toEqual({ problems: {} });
});
