import { centsFromText } from '@jangada/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { centsFromDigits, centsFromReais, textFromCents, wholeReaisFromTyped } from './money-cents.ts';

const LARGEST = 99_999_999_999;
const cents = fc.integer({ min: 0, max: LARGEST });

test('the text that a field shows for an amount is parsed to the same cents', () => {
  fc.assert(
    fc.property(cents, (amount) => {
      expect(centsFromDigits(textFromCents(amount), LARGEST)).toBe(amount);
      expect(centsFromReais(textFromCents(amount), centsFromText)).toBe(amount);
    }),
  );
});

test('one more digit enters at the right, and moves the other digits to the left', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9_999_999_999 }),
      fc.integer({ min: 0, max: 9 }),
      (amount, digit) => {
        expect(centsFromDigits(`${textFromCents(amount)}${digit}`, LARGEST)).toBe(amount * 10 + digit);
      },
    ),
  );
});

test('an amount beyond the largest amount is refused', () => {
  expect(centsFromDigits('9.999.999.999,990', LARGEST)).toBeNull();
});

test.each([
  ['1,50,', '150,'],
  ['0,12.', '12.'],
  ['1.250,00,', '125000,'],
  [',', '0,'],
  ['.', '0,'],
])('the typed text %j, which ends in a separator, becomes %j', (text, expected) => {
  expect(wholeReaisFromTyped(text)).toBe(expected);
});

test.each([
  ['150,', 15_000],
  ['150,5', 15_050],
  ['12.5', 1250],
  ['1.250', 125_000],
  ['1.250,', 125_000],
  ['0,', 0],
  ['150,507', undefined],
  ['150,,', undefined],
  ['1,25.', undefined],
  ['12a', undefined],
  ['R$ 20', 2000],
  ['R$20,', 2000],
  ['R$ 1.250,5', 125_050],
])('reais typed as %j are %j cents', (text, expected) => {
  expect(centsFromReais(text, centsFromText)).toBe(expected);
});
