const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

// How long after each failed attempt the next one comes: eleven attempts over a good day and a night.
const delays = [
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  8 * hour,
  12 * hour,
];
const jitterShare = 0.1;
const longestWish = 12 * hour;

/** After this time an event is no news any more, whatever kept it from being tried: 3 days. */
export const DELIVERY_LIFETIME_MS = 72 * hour;

export type FailedAttempt = {
  /** Attempts made, this one included. */
  readonly attempts: number;
  readonly now: Date;
  readonly createdAt: Date;
  /** What the receiver asked for by Retry-After. It can only make the wait longer. */
  readonly retryAfterMs: number | undefined;
  /** From 0 up to 1: spreads the retries of receivers that failed together. */
  readonly random: number;
};

/** When to try again; undefined: never more. */
export function nextAttempt(failed: FailedAttempt): Date | undefined {
  const delay = delays[failed.attempts - 1];
  if (delay === undefined) return undefined;
  const spread = delay * (1 + jitterShare * failed.random);
  const wait = Math.max(spread, Math.min(failed.retryAfterMs ?? 0, longestWish));
  const at = failed.now.getTime() + Math.ceil(wait);
  return at > failed.createdAt.getTime() + DELIVERY_LIFETIME_MS ? undefined : new Date(at);
}

/**
 * Reads the header Retry-After (RFC 9110, 10.2.3): seconds, or a date, which counts from the receiver's own `date`
 * where it sent one. Undefined when there is none that makes sense.
 */
export function retryAfterMs(value: string | undefined, now: Date, date?: string): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * second;
  const sentAt = date === undefined ? Number.NaN : Date.parse(date);
  const wait = Date.parse(value) - (Number.isNaN(sentAt) ? now.getTime() : sentAt);
  return wait >= 0 ? wait : undefined;
}
