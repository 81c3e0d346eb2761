import { expect, test } from 'vitest';
import { withdrawalLockout } from './withdrawal-lockout.ts';

const soon = '2026-11-21T17:47:00.000Z';
const later = '2026-11-22T17:36:00.000Z';

test('nothing stops withdrawals', () => {
  expect(withdrawalLockout({ lockedUntil: null, heldUntil: null })).toBeUndefined();
});

test('a lock and a hold are told with their time', () => {
  expect(withdrawalLockout({ lockedUntil: soon, heldUntil: null })?.title).toBe(
    'Saques bloqueados até 21/11/2026 às 14:47.',
  );
  expect(withdrawalLockout({ lockedUntil: null, heldUntil: later })?.title).toBe(
    'Saques suspensos até 22/11/2026 às 14:36.',
  );
});

test('of both the later one is told', () => {
  expect(withdrawalLockout({ lockedUntil: soon, heldUntil: later })?.title).toContain('suspensos até 22/11');
  expect(withdrawalLockout({ lockedUntil: later, heldUntil: soon })?.title).toContain('bloqueados até 22/11');
});
