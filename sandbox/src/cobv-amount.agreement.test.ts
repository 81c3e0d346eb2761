import { type AmountOrPercent, type DueTerms, predictDueAmount } from '@jangada/pix';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays } from './bank-days.ts';
import { amountOn, lastPayableDay } from './cobv-amount.ts';
import type { CobvTerms } from './records.ts';

/*
 * The bank's amounts and the gateway's prediction were written apart, each from the official file and the public answers
 * of BACEN's engineers. Here they have to agree.
 */

const dueDates = fc.integer({ min: 0, max: 4000 }).map((index) => addDays('2023-01-01', index));
const rates = fc.record({ modality: fc.constantFrom(1, 2), value: fc.integer({ min: 1, max: 9999 }) });
const interests = fc.record({
  modality: fc.integer({ min: 1, max: 8 }),
  value: fc.integer({ min: 1, max: 9999 }),
});
const discounts = fc.oneof(
  fc.record({
    modality: fc.constantFrom(1, 2),
    steps: fc.uniqueArray(
      fc.record({ daysBefore: fc.integer({ min: 0, max: 40 }), value: fc.integer({ min: 1, max: 9999 }) }),
      { minLength: 1, maxLength: 3, selector: ({ daysBefore }) => daysBefore },
    ),
  }),
  fc.record({ modality: fc.integer({ min: 3, max: 6 }), value: fc.integer({ min: 1, max: 9999 }) }),
);

const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
const charges = fc
  .record({
    amountCents: fc.integer({ min: 100_00, max: 999_999_999_999 }),
    dueDate: dueDates,
    validityDays: fc.integer({ min: 0, max: 200 }),
    fine: maybe(rates),
    interest: maybe(interests),
    rebate: maybe(rates),
    discount: maybe(discounts),
  })
  .map(({ fine, interest, rebate, discount, ...charge }) => ({
    ...charge,
    ...(fine && { fine }),
    ...(interest && { interest }),
    ...(rebate && { rebate }),
    ...(discount && {
      discount:
        'steps' in discount
          ? {
              modality: discount.modality,
              steps: discount.steps.map(({ daysBefore, value }) => ({
                until: addDays(charge.dueDate, -daysBefore),
                value,
              })),
            }
          : discount,
    }),
  }));
type Charge = Pick<
  CobvTerms,
  'amountCents' | 'dueDate' | 'validityDays' | 'fine' | 'interest' | 'rebate' | 'discount'
>;

const partOf = (isPercent: boolean, value: number): AmountOrPercent =>
  isPercent ? { unit: 'percent', hundredths: value } : { unit: 'amount', cents: value };

/** The same terms in the gateway's words. */
function gatewayTerms({ fine, interest, rebate, discount, ...charge }: Charge): DueTerms {
  return {
    originalCents: charge.amountCents,
    dueDate: charge.dueDate,
    validAfterDueDays: charge.validityDays,
    fine: fine && partOf(fine.modality === 2, fine.value),
    rebate: rebate && partOf(rebate.modality === 2, rebate.value),
    interest: interest && interestFrom(interest.modality, interest.value),
    discount: discount && discountFrom(discount),
  };
}

function interestFrom(modality: number, value: number): DueTerms['interest'] {
  const days = modality > 4 ? 'business' : 'calendar';
  const per = ([undefined, 'day', 'month', 'year'] as const)[(modality - 1) % 4];
  return per === undefined
    ? { unit: 'amount', cents: value, days }
    : { unit: 'percent', hundredths: value, days, per };
}

function discountFrom({ modality, steps, value = 0 }: NonNullable<Charge['discount']>): DueTerms['discount'] {
  if (modality <= 2)
    return {
      kind: 'until',
      steps: (steps ?? []).map((step) => ({ ...partOf(modality === 2, step.value), until: step.until })),
    };
  const days = modality % 2 === 0 ? 'business' : 'calendar';
  return { kind: 'each-day', days, ...partOf(modality >= 5, value) };
}

test('the bank asks what the gateway predicts, to the cent, on every day and by all modalities', () => {
  fc.assert(
    fc.property(charges, fc.integer({ min: -90, max: 300 }), (charge, offset) => {
      const terms = { ...charge, debtor: { cpf: '52998224725', nome: 'Ana Lima' } };
      const day = addDays(charge.dueDate, offset);
      const predicted = predictDueAmount(gatewayTerms(charge), day);
      if (day > lastPayableDay(terms)) expect(predicted).toBeUndefined();
      else expect(predicted).toEqual(amountOn(terms, day));
    }),
    { numRuns: process.env['LONG'] ? 200_000 : 3000 },
  );
});
