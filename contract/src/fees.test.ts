import fc from 'fast-check';
import { expect, test } from 'vitest';
import { feeCents } from './fees.ts';
import { MAX_CENTS } from './money.ts';

const amount = fc.integer({ min: 0, max: MAX_CENTS });
const terms = fc.record({
  rate: fc.integer({ min: 0, max: 10_000 }),
  fixedCents: fc.integer({ min: 0, max: 100_000 }),
});

test('a fee is the percentage rounded half up, plus the fixed part', () => {
  expect(feeCents(125_000, { rate: 99, fixedCents: 0 })).toBe(1_238);
  expect(feeCents(150, { rate: 99, fixedCents: 0 })).toBe(1);
  expect(feeCents(50, { rate: 100, fixedCents: 0 })).toBe(1);
  expect(feeCents(49, { rate: 100, fixedCents: 0 })).toBe(0);
  expect(feeCents(10_000, { rate: 0, fixedCents: 80 })).toBe(80);
});

test('a fee is exact for every amount the API accepts', () => {
  fc.assert(
    fc.property(amount, terms, (cents, { rate, fixedCents }) => {
      const exact = (BigInt(cents) * BigInt(rate) + 5_000n) / 10_000n + BigInt(fixedCents);
      expect(BigInt(feeCents(cents, { rate, fixedCents }))).toBe(exact);
    }),
  );
});
