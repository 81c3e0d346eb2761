import { expect, test } from 'vitest';
import { stripTotpSpaces, totpProblem } from './given-factor.ts';

test.each([
  ['', 'Informe o código.'],
  ['  ', 'Informe o código.'],
  ['12ab', 'O código tem 6 dígitos.'],
  ['1234567', 'O código tem 6 dígitos.'],
  ['123456', undefined],
  [' 123 456 ', undefined],
])('the typed code %j has the problem %j', (typed, problem) => {
  expect(totpProblem(typed)).toBe(problem);
});

test('a code is sent without the space that apps show', () => {
  expect(stripTotpSpaces(' 123 456')).toBe('123456');
});
