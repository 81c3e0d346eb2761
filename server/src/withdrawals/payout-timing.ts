import type { Withdrawal } from './withdrawal.ts';

/** Lease on an order while it is sent or looked up; longer than any call to the bank takes. */
export const PAYOUT_LEASE_MS = 90_000;
/** After this long without an outcome an order goes to the operator: look-ups continue, resends do not. */
const doubtMs = 3_600_000;
/** Before a resend, the bank must have had this long, and this many look-ups, to find the order. */
const missingMs = 120_000;
const missingLookups = 3;

export function after(now: Date, milliseconds: number): Date {
  return new Date(now.getTime() + milliseconds);
}

const firstPausesSeconds = [1, 2, 3, 5, 10, 20, 30, 60];

/** Backoff: when to look an order up next, by the number of look-ups so far. */
export function nextPayoutLookUp({ lookups, unknownSince }: Withdrawal, now: Date): Date {
  const seconds = firstPausesSeconds[lookups] ?? (lookups < 20 ? 60 : 300);
  return after(now, (isPayoutLongUnknown(unknownSince, now) ? 900 : seconds) * 1000);
}

export function isPayoutLongUnknown(unknownSince: Date | null, now: Date): boolean {
  return unknownSince !== null && now.getTime() - unknownSince.getTime() >= doubtMs;
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
  return (
    notFound >= missingLookups &&
    now.getTime() - lastSentAt.getTime() >= missingMs &&
    !isPayoutLongUnknown(unknownSince, now)
  );
}
