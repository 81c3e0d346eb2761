const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

// The delay after each failed attempt. With these delays, eleven attempts take a little over a day.
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
// A longer Retry-After is shortened to this, which is also our own longest delay.
const maxRetryAfterMs = 12 * hour;

/** The maximum age of an event. After 3 days it is not sent any more, whatever delayed it. */
export const DELIVERY_LIFETIME_MS = 72 * hour;

type FailedAttempt = {
  /** Attempts made, including this one. */
  readonly attempts: number;
  readonly now: Date;
  readonly createdAt: Date;
  /** The delay that the receiver asked for by Retry-After. It can only lengthen ours. */
  readonly retryAfterMs: number | undefined;
  /** A number in [0, 1) that spreads the retries of deliveries that failed together. */
  readonly random: number;
};

/** Returns when to try again; undefined if the delivery must be given up. */
export function nextAttemptTime(failed: FailedAttempt): Date | undefined {
  const delay = delays[failed.attempts - 1];
  if (delay === undefined) return undefined;
  const spread = delay * (1 + jitterShare * failed.random);
  const wait = Math.max(spread, Math.min(failed.retryAfterMs ?? 0, maxRetryAfterMs));
  const at = failed.now.getTime() + Math.ceil(wait);
  return at > failed.createdAt.getTime() + DELIVERY_LIFETIME_MS ? undefined : new Date(at);
}

/**
 * Parses the Retry-After header (RFC 9110, 10.2.3): a number of seconds, or a date. The date is compared with the
 * receiver's own `date` header if there is one. Undefined if Retry-After is missing or makes no sense.
 */
export function parseRetryAfterMs(value: string | undefined, now: Date, date?: string): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * second;
  const sentAt = date === undefined ? Number.NaN : Date.parse(date);
  const wait = Date.parse(value) - (Number.isNaN(sentAt) ? now.getTime() : sentAt);
  return wait >= 0 ? wait : undefined;
}

/** The circuit breaker of a receiver: it pauses deliveries to a receiver that repeatedly did not respond in time. */
export type Breaker = {
  /** The number of consecutive timeouts up to now. */
  readonly timeouts: number;
  /** The receiver is paused until then: nothing is sent to it. Null if it is not paused. */
  readonly pausedUntil: Date | null;
};

export const CLOSED_BREAKER: Breaker = { timeouts: 0, pausedUntil: null };

const timeoutsToPause = 3;
const firstPauseMs = 60_000;
const longestPauseMs = 10 * 60_000;

/**
 * After three consecutive timeouts a receiver is paused for a minute, doubling with each further timeout up to ten
 * minutes. Any response in time, even one with an error status, closes the breaker again.
 */
export function breakerAfter(before: Breaker, timedOut: boolean, now: Date): Breaker {
  if (!timedOut) return CLOSED_BREAKER;
  const timeouts = before.timeouts + 1;
  const excess = timeouts - timeoutsToPause;
  if (excess < 0) return { timeouts, pausedUntil: before.pausedUntil };
  const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(excess, 10));
  return { timeouts, pausedUntil: new Date(now.getTime() + pauseMs) };
}

export function isPaused({ pausedUntil }: Breaker, now: Date): boolean {
  return pausedUntil !== null && pausedUntil > now;
}
