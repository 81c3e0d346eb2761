import { expect, test } from 'vitest';
import { resendPeriodBounds } from './resend-deliveries.ts';

test('a date as the end of a period includes the whole day in Brasília', () => {
  expect(resendPeriodBounds({ from: '2026-11-22', to: '2026-11-22' })).toEqual({
    from: new Date('2026-11-22T03:00:00Z'),
    to: new Date('2026-11-23T03:00:00Z'),
  });
  expect(resendPeriodBounds({ from: '2026-11-22T00:00:00Z', to: '2026-11-22T01:00:00-03:00' })).toEqual({
    from: new Date('2026-11-22T00:00:00Z'),
    to: new Date('2026-11-22T04:00:00Z'),
  });
});
