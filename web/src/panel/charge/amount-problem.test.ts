import { expect, test } from 'vitest';
import { amountProblem } from './amount-problem.ts';

const rules = { maxCents: 1_500_000, fee: { rate: 99, fixedCents: 0 } };

test('an invalid amount is refused with the message of the specification', () => {
  expect(amountProblem(null, rules)).toBe('Por favor, insira um valor válido.');
  expect(amountProblem(0, rules)).toBe('Por favor, insira um valor válido.');
  expect(amountProblem(149, rules)).toBe('O valor mínimo para depósito é R$ 1,50.');
});

test('R$ 1,50 and the maximum itself are accepted', () => {
  expect(amountProblem(150, rules)).toBeUndefined();
  expect(amountProblem(1_500_000, rules)).toBeUndefined();
  expect(amountProblem(1_500_001, rules)).toBe('O valor máximo por cobrança é R$\u00a015.000,00.');
});

test('an amount that does not exceed its fee is refused before it is sent', () => {
  expect(amountProblem(200, { maxCents: null, fee: { rate: 0, fixedCents: 200 } })).toBe(
    'O valor não cobre a tarifa desta cobrança.',
  );
  expect(amountProblem(200, { maxCents: null, fee: { rate: 0, fixedCents: 199 } })).toBeUndefined();
});
