import { expect, test } from 'vitest';
import { wholePeriod } from './figure-link.tsx';

const now = new Date('2026-11-21T17:32:00Z');

test('a young account is shown since it began, an old one for a year', () => {
  expect(wholePeriod('2026-10-01T02:00:00Z', now)).toEqual({ from: '2026-09-30', to: '2026-11-21' });
  expect(wholePeriod('2020-01-01T12:00:00Z', now)).toEqual({ from: '2025-11-21', to: '2026-11-21' });
  expect(wholePeriod(null, now)).toEqual({ from: '2025-11-21', to: '2026-11-21' });
});
