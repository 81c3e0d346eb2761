import { expect, test } from 'vitest';
import { chargeClock, secondsToPay } from './charge-clock.ts';

const charge = { createdAt: '2026-11-21T17:32:00Z', expiresAt: '2026-11-21T18:02:00Z' };
const at = (moment: string) => Date.parse(moment);

test('the time left runs from the whole lifetime to zero', () => {
  expect(chargeClock(charge, at('2026-11-21T17:32:00Z'))).toEqual({
    secondsLeft: 1800,
    fractionLeft: 1,
    isUrgent: false,
    isExpired: false,
  });
  expect(chargeClock(charge, at('2026-11-21T17:47:00Z'))?.fractionLeft).toBe(0.5);
  expect(chargeClock(charge, at('2026-11-21T18:02:00Z'))).toMatchObject({
    secondsLeft: 0,
    fractionLeft: 0,
    isExpired: true,
  });
  expect(chargeClock(charge, at('2026-11-22T18:02:00Z'))?.secondsLeft).toBe(0);
});

test('the last two minutes are urgent', () => {
  expect(chargeClock(charge, at('2026-11-21T18:00:00Z'))?.isUrgent).toBe(false);
  expect(chargeClock(charge, at('2026-11-21T18:00:01Z'))?.isUrgent).toBe(true);
});

test('a browser whose clock is behind never shows more time than the lifetime', () => {
  expect(chargeClock(charge, at('2026-11-21T16:00:00Z'))?.secondsLeft).toBe(1800);
});

test('a charge without a readable expiry has no clock', () => {
  expect(chargeClock({ createdAt: charge.createdAt, expiresAt: null }, 0)).toBeNull();
  expect(chargeClock({ createdAt: charge.createdAt, expiresAt: 'amanhã' }, 0)).toBeNull();
});

test('the time to pay is null below a second, when a time is missing, and when the payment is before the creation', () => {
  expect(secondsToPay('2026-11-21T17:32:00Z', '2026-11-21T17:36:12.900Z')).toBe(252);
  expect(secondsToPay('2026-11-21T17:32:00Z', '2026-11-21T17:32:00.900Z')).toBeNull();
  expect(secondsToPay(null, '2026-11-21T17:36:12Z')).toBeNull();
  expect(secondsToPay('2026-11-21T17:36:12Z', '2026-11-21T17:32:00Z')).toBeNull();
});
