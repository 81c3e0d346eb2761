const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

// Delay after each failed attempt: eleven attempts in a little over a day.
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

/** Maximum age of an event: after 3 days it is not sent any more, whatever delayed it. */
export const DELIVERY_LIFETIME_MS = 72 * hour;

type FailedAttempt = {
  /** Attempts made, including this one. */
  readonly attempts: number;
  readonly now: Date;
  readonly createdAt: Date;
  /** The receiver's Retry-After. It can only lengthen the delay. */
  readonly retryAfterMs: number | undefined;
  /** In [0, 1): spreads the retries of receivers that failed together. */
  readonly random: number;
};

/** When to retry; undefined: give up. */
export function nextAttempt(failed: FailedAttempt): Date | undefined {
  const delay = delays[failed.attempts - 1];
  if (delay === undefined) return undefined;
  const spread = delay * (1 + jitterShare * failed.random);
  const wait = Math.max(spread, Math.min(failed.retryAfterMs ?? 0, longestWish));
  const at = failed.now.getTime() + Math.ceil(wait);
  return at > failed.createdAt.getTime() + DELIVERY_LIFETIME_MS ? undefined : new Date(at);
}

/**
 * Parses the Retry-After header (RFC 9110, 10.2.3): seconds, or a date, relative to the receiver's own `date` header if
 * it sent one. Undefined if it is missing or makes no sense.
 */
export function retryAfterMs(value: string | undefined, now: Date, date?: string): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * second;
  const sentAt = date === undefined ? Number.NaN : Date.parse(date);
  const wait = Date.parse(value) - (Number.isNaN(sentAt) ? now.getTime() : sentAt);
  return wait >= 0 ? wait : undefined;
}

/** The circuit breaker of a receiver that did not respond in time. */
export type Breaker = {
  /** Consecutive timeouts up to now. */
  readonly timeouts: number;
  /** Nothing is sent before then. */
  readonly restingUntil: Date | null;
};

export const CLOSED: Breaker = { timeouts: 0, restingUntil: null };

const timeoutsToRest = 3;
const firstRestMs = 60_000;
const longestRestMs = 10 * 60_000;

/**
 * After three consecutive timeouts a receiver rests for a minute, doubling with each further timeout up to ten minutes.
 * Any response in time, even an error status, resets it.
 */
export function breakerAfter(before: Breaker, timedOut: boolean, now: Date): Breaker {
  if (!timedOut) return CLOSED;
  const timeouts = before.timeouts + 1;
  const excess = timeouts - timeoutsToRest;
  if (excess < 0) return { timeouts, restingUntil: before.restingUntil };
  const rest = Math.min(longestRestMs, firstRestMs * 2 ** Math.min(excess, 10));
  return { timeouts, restingUntil: new Date(now.getTime() + rest) };
}

export function isResting({ restingUntil }: Breaker, now: Date): boolean {
  return restingUntil !== null && restingUntil > now;
}
