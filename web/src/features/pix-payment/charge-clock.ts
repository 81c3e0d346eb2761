/** With less than this left, the time bar warns. */
const URGENT_SECONDS = 120;

export type ChargeClock = {
  /** Whole seconds left, never below 0. */
  secondsLeft: number;
  /** Part of the lifetime that is left, 0 to 1. */
  fractionLeft: number;
  isUrgent: boolean;
  isOver: boolean;
};

/** The time that a charge has left. Null when the provider sends no expiry. */
export function chargeClock(
  { createdAt, expiresAt }: { createdAt: string | null; expiresAt: string | null },
  now: number,
): ChargeClock | null {
  const end = expiresAt === null ? Number.NaN : Date.parse(expiresAt);
  if (Number.isNaN(end)) return null;
  const start = createdAt === null ? now : Date.parse(createdAt);
  const lifetimeSeconds = Math.max(1, (end - start) / 1000);
  // Capped by the lifetime: a browser whose clock is behind would show more time than the charge ever had.
  const secondsLeft = Math.max(0, Math.min(Math.ceil((end - now) / 1000), Math.ceil(lifetimeSeconds)));
  return {
    secondsLeft,
    fractionLeft: Math.min(1, secondsLeft / lifetimeSeconds),
    isUrgent: secondsLeft < URGENT_SECONDS,
    isOver: secondsLeft === 0,
  };
}

/** The seconds from the creation of a charge to its payment; null when below one, or when either time is missing. */
export function secondsToPay(createdAt: string | null, paidAt: string | null): number | null {
  if (createdAt === null || paidAt === null) return null;
  const seconds = (Date.parse(paidAt) - Date.parse(createdAt)) / 1000;
  return Number.isNaN(seconds) || seconds < 1 ? null : Math.floor(seconds);
}
