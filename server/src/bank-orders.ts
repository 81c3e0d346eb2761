// How orders to the bank, payouts and refunds alike, are treated while their outcome is unknown.

/** Lease on an order while it is sent or looked up; longer than any call to the bank takes. */
export const ORDER_LEASE_MS = 90_000;
/** After this long without an outcome an order goes to the operator: look-ups continue, resends do not. */
const doubtMs = 3_600_000;
/** Before a resend, the bank must have had this long, and this many look-ups, to find the order. */
const missingMs = 120_000;
const missingLookups = 3;

export function isLongUnknown(unknownSince: Date | null, now: Date): boolean {
  return unknownSince !== null && now.getTime() - unknownSince.getTime() >= doubtMs;
}

/** An order that the bank did not find, sent last at `sentAt`. */
export type MissingOrder = {
  readonly notFound: number;
  readonly sentAt: Date;
  readonly unknownSince: Date | null;
};

/** Only under the same id, and only at a bank that accepts each id once: a resend must never pay twice. */
export function mayResend({ notFound, sentAt, unknownSince }: MissingOrder, now: Date): boolean {
  return (
    notFound >= missingLookups &&
    now.getTime() - sentAt.getTime() >= missingMs &&
    !isLongUnknown(unknownSince, now)
  );
}
