import { expect, test } from 'vitest';
import { shortId } from './short-id.ts';

test('charges of one minute have different short ids', () => {
  expect(shortId('019ac0f3-5e2a-7c41-9d3b-5a0e7f6b8a92')).toBe('019ac0f3-5e2a');
  expect(shortId('019ac0f3-5e2b-7c41-9d3b-5a0e7f6b8a92')).toBe('019ac0f3-5e2b');
  expect(shortId('3f0c2f7e-1b7d-4e2a-9c58-1d0e7f6b8a92')).toBe('3f0c2f7e');
});
