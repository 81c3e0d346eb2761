import { expect, test } from 'vitest';
import { pinProblems } from './pin-problems.ts';

const good = { currentPassword: 'lojista-demo', newPin: '4829', confirmPin: '4829' };

test('a PIN of four digits, confirmed and with the password, is taken', () => {
  expect(pinProblems(good)).toEqual({});
});

test('the current password is required', () => {
  expect(pinProblems({ ...good, currentPassword: '' })).toEqual({
    currentPassword: 'Senha atual é obrigatória',
  });
});

test.each(['', '482', '48291', '48a9'])('%j is not exactly four digits', (newPin) => {
  expect(pinProblems({ ...good, newPin, confirmPin: newPin })).toEqual({
    newPin: 'PIN deve ter exatamente 4 dígitos numéricos.',
  });
});

test('the confirmation has to match', () => {
  expect(pinProblems({ ...good, confirmPin: '4820' })).toEqual({ confirmPin: 'Os PINs não coincidem.' });
});
