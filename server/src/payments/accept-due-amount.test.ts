import { addDays, type DueTerms, predictDueAmount } from '@jangada/pix';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { startOfDay, timeAtHour } from '../calendar-day.ts';
import { acceptDueAmount } from './accept-due-amount.ts';

const due: DueTerms = {
  originalCents: 100_00,
  dueDate: '2026-12-10',
  validAfterDueDays: 30,
  fine: { unit: 'percent', hundredths: 200 },
  interest: { unit: 'percent', hundredths: 100, days: 'calendar', per: 'month' },
  discount: { kind: 'until', steps: [{ unit: 'amount', cents: 5_00, until: '2026-12-05' }] },
};
const none = { fineCents: 0, interestCents: 0, rebateCents: 0, discountCents: 0 };
const noonOf = (day: string) => timeAtHour(day, 12);
const pixOf = (
  day: string,
  amountCents: number,
  parts?: Partial<typeof none> & { originalCents?: number },
) => ({
  amountCents,
  paidAt: noonOf(day),
  parts: parts && { originalCents: 100_00, ...none, ...parts },
});

describe('a Pix pays a charge with a due date', () => {
  test('if the bank explains its amount by the terms, also by other cents than we predict', () => {
    const late = pixOf('2026-12-21', 102_38, { fineCents: 2_00, interestCents: 38 });
    expect(predictDueAmount(due, '2026-12-21')?.finalCents).toBe(102_37);
    expect(acceptDueAmount(due, late)).toMatchObject({
      fineCents: 2_00,
      interestCents: 38,
      finalCents: 102_38,
    });
    expect(acceptDueAmount(due, pixOf('2026-12-04', 95_00, { discountCents: 5_00 }))?.finalCents).toBe(95_00);
  });

  test('with the bare amount on the due date, and on the days by which local holidays may move it', () => {
    expect(acceptDueAmount(due, pixOf('2026-12-10', 100_00))?.finalCents).toBe(100_00);
    expect(acceptDueAmount(due, pixOf('2026-12-14', 100_00, {}))?.finalCents).toBe(100_00);
  });

  test('with the bare amount at any time, if nothing is added to it when it is late', () => {
    const plain = { ...due, fine: undefined, interest: undefined };
    expect(acceptDueAmount(plain, pixOf('2027-03-01', 100_00))?.finalCents).toBe(100_00);
  });
});

describe('a Pix does not pay it', () => {
  test.each([
    ['if its parts do not add up', pixOf('2026-12-21', 102_00, { fineCents: 2_00, interestCents: 38 })],
    [
      'if the original amount is another',
      pixOf('2026-12-21', 52_00, { originalCents: 50_00, fineCents: 2_00 }),
    ],
    ['if something is taken off that was not agreed', pixOf('2026-12-10', 99_00, { rebateCents: 1_00 })],
    ['with another amount that is not explained', pixOf('2026-12-21', 102_37)],
    ['with the bare amount once it is late', pixOf('2026-12-21', 100_00, {})],
    ['with the bare amount of a discounted day', pixOf('2026-11-28', 100_00, {})],
    ['with nothing left', pixOf('2026-12-04', 0, { discountCents: 100_00 })],
  ])('%s', (_, pix) => {
    expect(acceptDueAmount(due, pix)).toBeUndefined();
  });
});

test('whatever a bank reports, what is accepted adds up, and has only parts that were agreed', () => {
  const cents = fc.integer({ min: 0, max: 200_00 });
  const parts = fc.record({
    originalCents: fc.oneof(fc.constant(100_00), cents),
    fineCents: cents,
    interestCents: cents,
    rebateCents: cents,
    discountCents: cents,
  });
  const isAgreed = fc.boolean();
  fc.assert(
    fc.property(
      fc.option(parts, { nil: undefined }),
      cents,
      fc.integer({ min: -60, max: 400 }),
      fc.tuple(isAgreed, isAgreed, isAgreed, isAgreed),
      (reported, amountCents, offset, [fine, interest, rebate, discount]) => {
        const terms: DueTerms = {
          originalCents: 100_00,
          dueDate: due.dueDate,
          validAfterDueDays: 30,
          ...(fine && { fine: due.fine }),
          ...(interest && { interest: due.interest }),
          ...(rebate && { rebate: { unit: 'amount', cents: 1_00 } }),
          ...(discount && { discount: due.discount }),
        };
        const paidAt = startOfDay(addDays(due.dueDate, offset));
        const accepted = acceptDueAmount(terms, { amountCents, paidAt, parts: reported });
        if (accepted === undefined) return;
        expect(accepted.finalCents).toBe(amountCents);
        expect(accepted.originalCents).toBe(100_00);
        expect(accepted.fineCents === 0 || fine).toBe(true);
        expect(accepted.interestCents === 0 || interest).toBe(true);
        expect(accepted.rebateCents === 0 || rebate).toBe(true);
        expect(accepted.discountCents === 0 || discount).toBe(true);
      },
    ),
    { numRuns: 2000 },
  );
});
