/** The time bar warns when less than this time is left. */
const URGENT_SECONDS = 120;

export type ChargeClock = {
  /** Whole seconds left, never below 0. */
  secondsLeft: number;
  /** The share of the lifetime that is left, from 0 to 1. */
  fractionLeft: number;
  isUrgent: boolean;
  isExpired: boolean;
};

/** The time that a charge has left; null when the charge has no expiry, or one that is not a valid time. */
export function chargeClock(
  { createdAt, expiresAt }: { createdAt: string | null; expiresAt: string | null },
  nowMs: number,
): ChargeClock | null {
  const expiresAtMs = expiresAt === null ? Number.NaN : Date.parse(expiresAt);
  if (Number.isNaN(expiresAtMs)) return null;
  const createdAtMs = createdAt === null ? nowMs : Date.parse(createdAt);
  const lifetimeSeconds = Math.max(1, (expiresAtMs - createdAtMs) / 1000);
  // Capped by the lifetime: a browser whose clock is behind would show more time than the charge ever had.
  const secondsLeft = Math.max(
    0,
    Math.min(Math.ceil((expiresAtMs - nowMs) / 1000), Math.ceil(lifetimeSeconds)),
  );
  return {
    secondsLeft,
    fractionLeft: Math.min(1, secondsLeft / lifetimeSeconds),
    isUrgent: secondsLeft < URGENT_SECONDS,
    isExpired: secondsLeft === 0,
  };
}

/**
 * The seconds from the creation of a charge to its payment; null when below one, or when either time is
 * missing.
 */
export function secondsToPay(createdAt: string | null, paidAt: string | null): number | null {
  if (createdAt === null || paidAt === null) return null;
  const seconds = (Date.parse(paidAt) - Date.parse(createdAt)) / 1000;
  return Number.isNaN(seconds) || seconds < 1 ? null : Math.floor(seconds);
}
