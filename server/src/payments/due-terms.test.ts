import { newPayment } from '@jangada/contract';
import { describe, expect, test } from 'vitest';
import { calendarDayOf } from '../calendar-day.ts';
import { cobvCalendar, cobvValue } from '../psp/bacen/due-request.ts';
import { Refusal } from '../refusal.ts';
import { billingFrom, dueResponse, endOf, refuseImpossible } from './due-terms.ts';

const now = new Date('2026-12-01T15:00:00Z');
const payer = { name: 'Francisco da Silva', document: '529.982.247-25' };
const limits = { isTooSmall: (cents: number) => cents < 150, maxCents: 15_000_00 };
function billingOf(fields: object) {
  const billing = billingFrom(newPayment.parse({ amount: 123.45, ...fields }), 123_45);
  if (billing.due !== undefined) refuseImpossible(billing.due, calendarDayOf(now), limits);
  return billing;
}
const refusedField = (fields: object) => {
  try {
    billingOf(fields);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'DUE_TERMS_INVALID')
      return (error.details as { fields: { field: string }[] }).fields[0]?.field;
    throw error;
  }
  return undefined;
};

test('without these fields a charge names nobody and has no due date', () => {
  expect(billingOf({})).toEqual({ billedTo: undefined, due: undefined });
  expect(billingOf({ payer })).toMatchObject({ billedTo: { document: '52998224725' }, due: undefined });
});

test('the bank is told what the request says', () => {
  const { due } = billingOf({
    payer,
    due_date: '2026-12-31',
    fine: { type: 'percent', value: 2 },
    interest: { type: 'percent', value: 1 },
    rebate: { type: 'amount', value: 3.5 },
    discounts: [{ type: 'amount', value: 30, until: '2026-12-20' }],
  });
  if (due === undefined) throw new Error('no due date');
  expect(cobvCalendar(due)).toEqual({ dataDeVencimento: '2026-12-31', validadeAposVencimento: 30 });
  expect(cobvValue(due)).toEqual({
    multa: { modalidade: 2, valorPerc: '2.00' },
    juros: { modalidade: 3, valorPerc: '1.00' },
    abatimento: { modalidade: 1, valorPerc: '3.50' },
    desconto: { modalidade: 1, descontoDataFixa: [{ data: '2026-12-20', valorPerc: '30.00' }] },
  });
  expect(dueResponse({ due }, { isOpen: true, now })).toMatchObject({
    due_date: '2026-12-31',
    valid_until: '2027-02-01',
    interest: { type: 'percent', value: 1, per: 'month', days: 'calendar' },
    amount_today: 89.95,
  });
  expect(endOf(due)).toEqual(new Date('2027-02-02T03:00:00Z'));
});

test.each([
  [1, { type: 'amount', value: 1, days: 'calendar' }],
  [2, { type: 'percent', value: 1, per: 'day', days: 'calendar' }],
  [3, { type: 'percent', value: 1, per: 'month', days: 'calendar' }],
  [4, { type: 'percent', value: 1, per: 'year', days: 'calendar' }],
  [5, { type: 'amount', value: 1, days: 'business' }],
  [6, { type: 'percent', value: 1, per: 'day', days: 'business' }],
  [7, { type: 'percent', value: 1, per: 'month', days: 'business' }],
  [8, { type: 'percent', value: 1, per: 'year', days: 'business' }],
])('interest of modality %i', (modalidade, interest) => {
  const { due } = billingOf({ payer, due_date: '2026-12-31', interest });
  expect(due && cobvValue(due).juros).toEqual({ modalidade, valorPerc: '1.00' });
});

test.each([
  [3, { type: 'amount', value: 1, days: 'calendar' }],
  [4, { type: 'amount', value: 1, days: 'business' }],
  [5, { type: 'percent', value: 1, days: 'calendar' }],
  [6, { type: 'percent', value: 1, days: 'business' }],
])('a discount for early payment of modality %i', (modalidade, early_discount) => {
  const { due } = billingOf({ payer, due_date: '2026-12-31', early_discount });
  expect(due && cobvValue(due).desconto).toEqual({ modalidade, valorPerc: '1.00' });
});

describe('refused', () => {
  const base = { payer, due_date: '2026-12-31' };
  const half = { type: 'percent', value: 50, until: '2026-12-20' };
  test.each([
    ['payer', { due_date: '2026-12-31' }],
    ['due_date', { ...base, due_date: '2026-11-30' }],
    ['due_date', { ...base, due_date: '2031-12-31' }],
    ['fine', { fine: { type: 'percent', value: 2 } }],
    ['valid_after_due', { valid_after_due: 3 }],
    ['rebate', { ...base, rebate: { type: 'amount', value: 123.45 } }],
    ['rebate', { ...base, rebate: { type: 'percent', value: 100 } }],
    ['discounts', { ...base, discounts: [{ ...half, until: '2027-01-01' }] }],
    ['discounts', { ...base, discounts: [{ ...half, until: '2026-11-30' }] }],
    ['discounts', { ...base, discounts: [{ ...half, value: 100 }] }],
    ['early_discount', { ...base, early_discount: { type: 'amount', value: 200 } }],
    ['amount', { ...base, rebate: { type: 'percent', value: 99 } }],
    ['amount', { ...base, early_discount: { type: 'percent', value: 5, days: 'calendar' } }],
    ['amount', { ...base, fine: { type: 'amount', value: 15_000 } }],
    [
      'amount',
      {
        ...base,
        discounts: [
          { type: 'amount', value: 1, until: '2026-12-05' },
          { type: 'amount', value: 123, until: '2026-12-15' },
        ],
      },
    ],
    ['early_discount', { ...base, discounts: [half], early_discount: { type: 'amount', value: 1 } }],
  ])('%s: %j', (field, fields) => {
    expect(refusedField(fields)).toBe(field);
  });

  test.each([
    { payer: { name: 'A', document: payer.document } },
    { payer: { name: 'Ana Lima', document: '111.111.111-11' } },
    { due_date: '31/12/2026' },
    { valid_after_due: -1 },
    { fine: { type: 'percent', value: 0 } },
    { fine: { type: 'percent', value: 101 } },
    { fine: { type: 'amount', value: 1.234 } },
    { discounts: [] },
    { discounts: [half, half] },
    { discounts: [half, { type: 'amount', value: 1, until: '2026-12-10' }] },
  ])('by the contract: %j', (fields) => {
    expect(newPayment.safeParse({ amount: 10, ...base, ...fields }).success).toBe(false);
  });
});
