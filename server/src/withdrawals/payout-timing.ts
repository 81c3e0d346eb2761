import { isLongUnknown, mayResend } from '../bank-orders.ts';
import { after } from '../clock.ts';
import type { Withdrawal } from './withdrawal.ts';

const firstPausesSeconds = [1, 2, 3, 5, 10, 20, 30, 60];

/** Backoff: when to look an order up next, by the number of look-ups so far. */
export function nextPayoutLookUp({ lookups, unknownSince }: Withdrawal, now: Date): Date {
  const seconds = firstPausesSeconds[lookups] ?? (lookups < 20 ? 60 : 300);
  return after(now, (isLongUnknown(unknownSince, now) ? 900 : seconds) * 1000);
}

/**
 * `resendIsSafe`: the bank accepts each of our ids only once. An order that the bank has ever reported is never
 * missing, even if it now denies it.
 */
export function mayResendPayout(
  { endToEndId, unknownSince, lastSentAt, notFound }: Withdrawal,
  now: Date,
  resendIsSafe: boolean,
): boolean {
  if (!resendIsSafe || endToEndId !== null || lastSentAt === null) return false;
  return mayResend({ notFound, sentAt: lastSentAt, unknownSince }, now);
}
