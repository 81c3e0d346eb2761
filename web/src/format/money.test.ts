import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  formatAxisReais,
  formatCentsDigits,
  formatChange,
  formatCompactReais,
  formatCount,
  formatDeduction,
  formatFee,
  formatMoney,
  formatRate,
  formatShare,
  formatShortMoney,
} from './money.ts';

test('an amount is written in Brazilian form and never breaks across lines', () => {
  expect(formatMoney(123_456)).toBe('R$\u00a01.234,56');
  expect(formatMoney(0)).toBe('R$\u00a00,00');
  expect(formatMoney(5)).toBe('R$\u00a00,05');
  expect(formatMoney(999_999_999_999)).toBe('R$\u00a09.999.999.999,99');
});

test('a minus sign is U+2212 and comes before R$', () => {
  expect(formatMoney(-409)).toBe('\u2212\u00a0R$\u00a04,09');
  expect(formatDeduction(409)).toBe('\u2212\u00a0R$\u00a04,09');
  expect(formatDeduction(0)).toBe('R$\u00a00,00');
});

test('a change has a sign, whether it is positive or negative', () => {
  expect(formatChange(40_881)).toBe('+\u00a0R$\u00a0408,81');
  expect(formatChange(-4_000)).toBe('\u2212\u00a0R$\u00a040,00');
  expect(formatChange(0)).toBe('R$\u00a00,00');
});

test('a shortened amount never states more than the full amount', () => {
  expect(formatShortMoney(123_456_789_012)).toBe('R$\u00a01,2\u00a0bi');
  expect(formatShortMoney(99_999_999_999)).toBe('R$\u00a0999,9\u00a0mi');
  expect(formatShortMoney(-123_456)).toBe('\u2212\u00a0R$\u00a01,2\u00a0mil');
});

test('a missing amount is written as a dash', () => {
  expect(formatMoney(null)).toBe('—');
  expect(formatMoney(undefined)).toBe('—');
  expect(formatDeduction(null)).toBe('—');
});

test('formatting neither loses nor adds a cent', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999_999_999_999 }), (cents) => {
      expect(Number(formatCentsDigits(cents).replace(/\D/g, ''))).toBe(cents);
    }),
  );
});

test('an axis label is in thousands or millions', () => {
  expect(formatCompactReais(300_000)).toBe('3\u00a0mil');
  expect(formatCompactReais(150_000)).toBe('1,5\u00a0mil');
  expect(formatCompactReais(4_000)).toBe('40');
  expect(formatCompactReais(200_000_000)).toBe('2\u00a0mi');
});

test('only the top label of an axis has the currency', () => {
  expect(formatAxisReais(300_000, true)).toBe('R$\u00a03\u00a0mil');
  expect(formatAxisReais(200_000, false)).toBe('2\u00a0mil');
  expect(formatAxisReais(0, true)).toBe('0');
});

test('the thousands of a count are separated by points', () => {
  expect(formatCount(1405)).toBe('1.405');
});

test('a share has one decimal and no space', () => {
  expect(formatShare(1284, 1405)).toBe('91,4%');
  expect(formatShare(17, 1405)).toBe('1,2%');
  expect(formatShare(1, 2)).toBe('50,0%');
  expect(formatShare(0, 0)).toBe('0,0%');
  expect(formatShare(3, 3)).toBe('100,0%');
});

test('only zero is shown as 0,0%, and only the whole as 100,0%', () => {
  expect(formatShare(1, 1_000_000)).toBe('<0,1%');
  expect(formatShare(999_999, 1_000_000)).toBe('99,9%');
});

test('a rate has no trailing zeros', () => {
  expect(formatRate(99)).toBe('0,99%');
  expect(formatRate(150)).toBe('1,5%');
  expect(formatRate(200)).toBe('2%');
  expect(formatRate(0)).toBe('0%');
  expect(formatRate(10_000)).toBe('100%');
});

test('a fee is written as its parts, and undefined when it has none', () => {
  expect(formatFee({ rate: 99, fixedCents: 10 })).toBe('0,99% + R$\u00a00,10');
  expect(formatFee({ rate: 0, fixedCents: 150 })).toBe('R$\u00a01,50');
  expect(formatFee({ rate: 100, fixedCents: 0 })).toBe('1%');
  expect(formatFee({ rate: 0, fixedCents: 0 })).toBeUndefined();
});
