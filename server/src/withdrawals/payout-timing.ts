import type { Withdrawal } from './withdrawal.ts';

/** So long whoever sends an order, or looks it up, has it; longer than any call to the bank takes. */
export const PAYOUT_LEASE_MS = 90_000;
/** What nobody knows after so long is for the operator: it is looked up on, but never sent again. */
const doubtMs = 3_600_000;
/** Before an order is sent again the bank has so long to know it, and is asked so often. */
const missingMs = 120_000;
const missingLookups = 3;

export function after(now: Date, milliseconds: number): Date {
  return new Date(now.getTime() + milliseconds);
}

const firstPausesSeconds = [1, 2, 3, 5, 10, 20, 30, 60];

/** When an order is looked up next, after so many look-ups. */
export function nextPayoutLookUp({ lookups, unknownSince }: Withdrawal, now: Date): Date {
  const seconds = firstPausesSeconds[lookups] ?? (lookups < 20 ? 60 : 300);
  return after(now, (isPayoutLongUnknown(unknownSince, now) ? 900 : seconds) * 1000);
}

export function isPayoutLongUnknown(unknownSince: Date | null, now: Date): boolean {
  return unknownSince !== null && now.getTime() - unknownSince.getTime() >= doubtMs;
}

/** `resendIsSafe`: the bank takes each of our ids once. What it has ever told of is not missing, whatever it says now. */
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
