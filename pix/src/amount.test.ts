import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PROPERTY_RUNS } from '../test/property-runs.ts';
import { brCodeAmountToCents, centsToPixAmount, pixAmountToCents } from './amount.ts';
import { PixRefusal } from './pix-refusal.ts';

const MAX_CENTS = 999_999_999_999;

test('an amount that is written and read again is the same number of cents', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: MAX_CENTS }), (cents) => {
      const text = centsToPixAmount(cents);
      expect(text).toMatch(/^\d{1,10}\.\d{2}$/);
      expect(pixAmountToCents(text)).toBe(cents);
      expect(brCodeAmountToCents(text)).toBe(cents);
    }),
    { numRuns: PROPERTY_RUNS },
  );
});

test.each([
  [0, '0.00'],
  [1, '0.01'],
  [10, '0.10'],
  [1234, '12.34'],
  [MAX_CENTS, '9999999999.99'],
])('%d cents are written %s', (cents, text) => {
  expect(centsToPixAmount(cents)).toBe(text);
});

test.each([-1, 0.1, MAX_CENTS + 1, Number.NaN, Number.POSITIVE_INFINITY])('%d cents are refused', (cents) => {
  expect(() => centsToPixAmount(cents)).toThrow(expect.objectContaining({ code: 'AMOUNT_RANGE' }));
});

test.each([
  ['1', 100],
  ['105', 10_500],
  ['1005', 100_500],
  ['10.5', 1050],
  ['0.9', 90],
  ['.10', 10],
  ['1.', 100],
  ['13.0', 1300],
])('%s is read from field 54 as %d cents, but refused as an amount of the API', (text, cents) => {
  expect(brCodeAmountToCents(text)).toBe(cents);
  expect(() => pixAmountToCents(text)).toThrow(PixRefusal);
});

test.each([
  '',
  '.',
  '1,00',
  '1.000',
  '-1.00',
  '+1.00',
  '1e5',
  ' 1.00',
  '1.00\n',
  '١.٠٠',
  '99999999999.00',
  '0x10',
])('%j is refused both in field 54 and as an amount of the API', (text) => {
  expect(() => brCodeAmountToCents(text)).toThrow(expect.objectContaining({ code: 'AMOUNT_FORMAT' }));
  expect(() => pixAmountToCents(text)).toThrow(expect.objectContaining({ code: 'AMOUNT_FORMAT' }));
});
