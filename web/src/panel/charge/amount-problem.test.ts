import { expect, test } from 'vitest';
import { chargeAmountProblem } from './amount-problem.ts';

const rules = { maxCents: 1_500_000, fee: { rate: 99, fixedCents: 0 } };

test('an invalid amount is refused with the message of the specification', () => {
  expect(chargeAmountProblem(null, rules)).toBe('Por favor, insira um valor válido.');
  expect(chargeAmountProblem(0, rules)).toBe('Por favor, insira um valor válido.');
  expect(chargeAmountProblem(149, rules)).toBe('O valor mínimo para depósito é R$ 1,50.');
});

test('R$ 1,50 and the maximum itself are accepted', () => {
  expect(chargeAmountProblem(150, rules)).toBeUndefined();
  expect(chargeAmountProblem(1_500_000, rules)).toBeUndefined();
  expect(chargeAmountProblem(1_500_001, rules)).toBe('O valor máximo por cobrança é R$\u00a015.000,00.');
});

test('an amount that does not exceed its fee is refused before it is sent', () => {
  expect(chargeAmountProblem(200, { maxCents: null, fee: { rate: 0, fixedCents: 200 } })).toBe(
    'O valor não cobre a tarifa desta cobrança.',
  );
  expect(chargeAmountProblem(200, { maxCents: null, fee: { rate: 0, fixedCents: 199 } })).toBeUndefined();
});
