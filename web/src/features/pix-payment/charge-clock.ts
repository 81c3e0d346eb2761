/** From here on the time bar warns, in seconds. */
const URGENT_SECONDS = 120;

export type ChargeClock = {
  /** Whole seconds left, never below 0. */
  secondsLeft: number;
  /** Part of the lifetime that is left, 0 to 1. */
  left: number;
  urgent: boolean;
  over: boolean;
};

/** The time that a charge has left. Null where the provider names no end. */
export function chargeClock(
  { createdAt, expiresAt }: { createdAt: string | null; expiresAt: string | null },
  now: number,
): ChargeClock | null {
  const end = expiresAt === null ? Number.NaN : Date.parse(expiresAt);
  if (Number.isNaN(end)) return null;
  const start = createdAt === null ? now : Date.parse(createdAt);
  // A browser whose clock is behind would show more time than there ever was.
  const lifetime = Math.max(1, (end - start) / 1000);
  const secondsLeft = Math.max(0, Math.min(Math.ceil((end - now) / 1000), Math.ceil(lifetime)));
  return {
    secondsLeft,
    left: Math.min(1, secondsLeft / lifetime),
    urgent: secondsLeft < URGENT_SECONDS,
    over: secondsLeft === 0,
  };
}

/** How long it took from making a charge to its payment, in seconds; null under one, or where a moment is missing. */
export function secondsToPay(createdAt: string | null, paidAt: string | null): number | null {
  const seconds =
    createdAt === null || paidAt === null ? Number.NaN : (Date.parse(paidAt) - Date.parse(createdAt)) / 1000;
  return Number.isNaN(seconds) || seconds < 1 ? null : Math.floor(seconds);
}
