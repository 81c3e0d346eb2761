import fc from 'fast-check';
import { expect, test } from 'vitest';
import { centsAsTyped, centsFromDigits, centsFromPaste } from './money-cents.ts';

const LARGEST = 99_999_999_999;
const cents = fc.integer({ min: 0, max: LARGEST });

test('what a field shows for an amount is read back as the same cents, typed or pasted', () => {
  fc.assert(
    fc.property(cents, (amount) => {
      expect(centsFromDigits(centsAsTyped(amount), LARGEST)).toBe(amount);
      expect(centsFromPaste(`R$ ${centsAsTyped(amount)}`)).toBe(amount);
    }),
  );
});

test('one more digit shifts the amount to the left', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9_999_999_999 }),
      fc.integer({ min: 0, max: 9 }),
      (amount, digit) => {
        expect(centsFromDigits(`${centsAsTyped(amount)}${digit}`, LARGEST)).toBe(amount * 10 + digit);
      },
    ),
  );
});

test('digits beyond the largest amount are refused', () => {
  expect(centsFromDigits('9.999.999.999,990', LARGEST)).toBeNull();
});

test.each([
  ['12', 1200],
  ['12,5', 1250],
  ['12.50', 1250],
  ['1.234,56', 123_456],
  ['1,234.56', 123_456],
  ['R$ 1.234', 123_400],
  ['', null],
  ['abc', null],
])('a pasted %j is %j cents', (text, expected) => {
  expect(centsFromPaste(text)).toBe(expected);
});
