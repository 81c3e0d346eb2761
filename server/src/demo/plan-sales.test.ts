import { expect, test } from 'vitest';
import { daysAfter, startOfDay } from '../calendar-day.ts';
import { planSales, type Sale } from './plan-sales.ts';

const hourMs = 3_600_000;

/** The time in milliseconds from which on playing any sale also books the expiry of this charge. */
const expiryDueMs = ({ at, expiresInSeconds }: Sale) => at.getTime() + (expiresInSeconds + 90) * 1000;

test('at any time of any day exactly two charges are pending, and all others are paid or expired', () => {
  for (let day = '2026-10-01'; day <= '2027-01-31'; day = daysAfter(day, 9)) {
    for (let hour = 0; hour < 24; hour += 1) {
      const now = new Date(startOfDay(day).getTime() + (hour + 0.9) * hourMs);
      const sales = planSales(new Date(now.getTime() - 62 * 24 * hourMs), now);
      // The two newest sales are played together. At the time of the first of them, due expiries are booked for the
      // last time.
      const lastExpiryRunMs = sales.at(-2)?.at.getTime() ?? 0;
      const unpaid = sales.filter(({ payment }) => payment === undefined);
      const stillPending = unpaid.filter((sale) => expiryDueMs(sale) >= lastExpiryRunMs);
      expect(stillPending, `${day} at ${hour}:54`).toEqual(sales.slice(-2));
      expect(unpaid.length, `${day} at ${hour}:54`).toBeGreaterThan(12);
    }
  }
});
