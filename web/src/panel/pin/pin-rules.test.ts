import { expect, test } from 'vitest';
import { pinProblems, withdrawalLockout } from './pin-rules.ts';

const validDefinition = { currentPassword: 'lojista-demo', newPin: '4829', confirmPin: '4829' };

test('a confirmed PIN of four digits with the password is accepted', () => {
  expect(pinProblems(validDefinition)).toEqual({});
});

test('the current password is required', () => {
  expect(pinProblems({ ...validDefinition, currentPassword: '' })).toEqual({
    currentPassword: 'Senha atual é obrigatória',
  });
});

test.each(['', '482', '48291', '48a9'])('%j is not exactly four digits', (newPin) => {
  expect(pinProblems({ ...validDefinition, newPin, confirmPin: newPin })).toEqual({
    newPin: 'PIN deve ter exatamente 4 dígitos numéricos.',
  });
});

test('the confirmation has to match', () => {
  expect(pinProblems({ ...validDefinition, confirmPin: '4820' })).toEqual({
    confirmPin: 'Os PINs não coincidem.',
  });
});

const soon = '2026-11-21T17:47:00.000Z';
const later = '2026-11-22T17:36:00.000Z';

test('without a lock or a hold there is no lockout', () => {
  expect(withdrawalLockout({ lockedUntil: null, heldUntil: null })).toBeUndefined();
});

test('a lock and a hold are reported with their end', () => {
  expect(withdrawalLockout({ lockedUntil: soon, heldUntil: null })?.title).toBe(
    'Saques bloqueados até 21/11/2026 às 14:47.',
  );
  expect(withdrawalLockout({ lockedUntil: null, heldUntil: later })?.title).toBe(
    'Saques suspensos até 22/11/2026 às 14:36.',
  );
});

test('of a lock and a hold the later end is reported', () => {
  expect(withdrawalLockout({ lockedUntil: soon, heldUntil: later })?.title).toContain('suspensos até 22/11');
  expect(withdrawalLockout({ lockedUntil: later, heldUntil: soon })?.title).toContain('bloqueados até 22/11');
});
